/** Something a person must mend: one sentence that says what, where and what to do next; never shown with a stack. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
  }
}
