// What the shop of the test pages sells: enough for a search to be worth it.

export interface Product {
  readonly name: string;
  readonly kind: string;
  readonly price: number;
  readonly stars: number;
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  Kitchen: ["kettle", "toaster", "pan", "knife", "teapot", "scale"],
  Garden: ["spade", "rake", "hose", "lantern", "bench", "kettle grill"],
  Office: ["lamp", "chair", "desk", "stapler", "shelf", "notebook"],
};
const LOOKS = ["Red", "Steel", "Oak", "Travel", "Classic"];
const FIRST_PRICE = 9;
const PRICE_STEP = 7;
const PRICE_ROUND = 113;

/** 90 of them, always the same. */
export const PRODUCTS: readonly Product[] = Object.entries(KINDS).flatMap(([kind, things]) =>
  things.flatMap((thing, row) =>
    LOOKS.map((look, column) => ({
      name: `${look} ${thing}`,
      kind,
      price: FIRST_PRICE + (((row * LOOKS.length + column) * PRICE_STEP * 3) % PRICE_ROUND),
      stars: 1 + ((row + column) % 5),
    })),
  ),
);
