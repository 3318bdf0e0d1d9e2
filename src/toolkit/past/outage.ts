// A time in which no state can be kept: told when it begins, and not again before it is over.

export interface Outage {
  isOn(): boolean;
  begin(why: string): void;
  end(): void;
}

export function createOutage(notify: (message: string) => void): Outage {
  let isOn = false;
  return {
    isOn: () => isOn,
    begin(why) {
      if (isOn) return;
      isOn = true;
      notify(
        `State cannot be kept: ${why} Until it can, calls cannot be undone and are journaled in memory only.`,
      );
    },
    end() {
      isOn = false;
    },
  };
}
