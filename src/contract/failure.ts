/** Something a person must mend: one sentence that says what, where and what to do next; never shown with a stack. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
  }
}

/** What the system calls an error, such as ENOENT. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}

/** For `catch`: a file or folder that is not there counts as the given value; anything else is thrown on. */
export function orIfMissing<Value>(value: Value): (cause: unknown) => Value {
  return (cause) => {
    if (codeOf(cause) === "ENOENT") return value;
    throw cause;
  };
}

/** What was thrown, in words. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
