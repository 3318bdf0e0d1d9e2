// A time in which no state can be kept: reported when it begins, and not again before it is over.

export interface Outage {
  isOn(): boolean;
  begin(why: string): void;
  end(): void;
}

export interface OutageOptions {
  readonly notify: (message: string) => void;
  /** Otherwise only the journal suffers. */
  readonly endsUndo: boolean;
}

export function createOutage({ notify, endsUndo }: OutageOptions): Outage {
  const cost = endsUndo ? "calls cannot be undone and are" : "calls are";
  let isOn = false;
  return {
    isOn: () => isOn,
    begin(why) {
      if (isOn) return;
      isOn = true;
      notify(`State cannot be kept: ${why} Until it can, ${cost} journaled in memory only.`);
    },
    end() {
      isOn = false;
    },
  };
}
