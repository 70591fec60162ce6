/** Names a message for good; randomUUID is kept from pages that come over plain HTTP from another machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
