/** A control of the form tells its new value; undefined takes it out. */
export class FieldEdited extends Event {
  readonly value: unknown;
  constructor(value: unknown) {
    super("edited");
    this.value = value;
  }
}

export function tell(element: EventTarget, value: unknown): void {
  element.dispatchEvent(new FieldEdited(value));
}
