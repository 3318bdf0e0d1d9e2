// A failure of the set-up that the person at the keyboard can mend; its message is all they need.
export class SetupError extends Error {}
