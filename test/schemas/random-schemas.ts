// Draws schemas together with arguments that fit them, in all the ways that generators of schemas
// write the same thing.

type Json = Record<string, unknown>;

/** A schema and a value that fits it, at least by intention: parts may contradict each other. */
export interface Sample {
  readonly schema: Json;
  readonly value: unknown;
}

const NAMES = ["a", "b", "c", "type", "format", "items", "properties", "required", "enum", "kind"];
const TEXT_WORDS: readonly Json[] = [
  {},
  {},
  { minLength: 1, maxLength: 9 },
  { pattern: "^s" },
  { pattern: "^(?=s)" },
  { pattern: "^s[\\w-.]*$" },
  { format: "uri" },
  { format: "uint8" },
];
const LISTS: readonly (readonly unknown[])[] = [
  ["a", "b"],
  ["", "x"],
  [1, 2],
  [1, 2.5, "auto"],
  [true],
  [null, "a"],
  ["a", null, 3],
];
const TYPE_LISTS: readonly (readonly [types: readonly string[], value: unknown])[] = [
  [["string", "null"], null],
  [["string", "null"], "s"],
  [["integer", "null"], 3],
  [["string", "number"], 1.5],
  [["boolean", "string", "null"], true],
];
const ANYTHING: readonly unknown[] = [1, "x", null, true, [1, "a"], [["row"]], { q: 1 }];

export function createSampler(random: () => number) {
  const whole = (below: number) => Math.floor(random() * below);
  const chance = (share: number) => random() < share;
  let definitions: Json = {};
  let holder = "$defs";

  function pick<T>(choices: readonly T[]): T {
    for (const choice of choices.slice(whole(choices.length))) return choice;
    throw new Error("nothing to pick from");
  }

  /** Words that say nothing of the value. */
  function annotate(schema: Json): Json {
    const words: Json[] = [
      { description: "The thing." },
      { title: "T" },
      { default: null },
      { nullable: true },
      { "x-order": 1 },
      { examples: [1] },
    ];
    return chance(0.4) ? { ...schema, ...pick(words) } : schema;
  }

  function drawScalar(): Sample {
    const [types, value] = pick(TYPE_LISTS);
    const list = pick(LISTS);
    return pick<() => Sample>([
      () => ({ schema: annotate({ type: "string", ...pick(TEXT_WORDS) }), value: "sam" }),
      () => ({ schema: annotate({ type: "integer", minimum: 0, maximum: 9 }), value: whole(10) }),
      () => ({ schema: annotate({ type: "number", exclusiveMinimum: 0 }), value: 1.5 }),
      () => ({ schema: annotate({ type: "boolean" }), value: chance(0.5) }),
      () => ({ schema: annotate({ type: "null" }), value: null }),
      () => ({ schema: annotate({ enum: list }), value: pick(list) }),
      () => ({ schema: annotate({ const: "k" }), value: "k" }),
      () => ({ schema: annotate({ type: types }), value }),
    ])();
  }

  function drawObject(depth: number): Sample & { readonly value: Json } {
    const names = NAMES.filter(() => chance(0.25));
    const drawn = names.map((name) => ({ name, ...draw(depth - 1), isRequired: chance(0.5) }));
    const present = drawn.filter(({ isRequired }) => isRequired || chance(0.5));
    const schema = annotate({
      type: "object",
      properties: Object.fromEntries(drawn.map(({ name, schema }) => [name, schema])),
      required: drawn.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    });
    return { schema, value: Object.fromEntries(present.map(({ name, value }) => [name, value])) };
  }

  function drawClosed(depth: number): Sample {
    const { schema, value } = drawObject(depth);
    if (!chance(0.1)) return { schema: { ...schema, additionalProperties: false }, value };
    const additionalProperties = { type: "string" };
    return { schema: { ...schema, additionalProperties }, value: { ...value, extra: "x" } };
  }

  function drawArray(depth: number): Sample {
    if (chance(0.1)) return { schema: annotate({ type: "array" }), value: [1, "a", null] };
    const { schema, value } = draw(depth - 1);
    return {
      schema: annotate({ type: "array", items: schema }),
      value: chance(0.2) ? [] : [value],
    };
  }

  function drawTuple(depth: number): Sample {
    // What takes everything is said to take lists in lists, but not without end.
    const isOpen = chance(0.25);
    const places = isOpen ? [drawScalar(), drawScalar()] : [draw(depth - 1), draw(depth - 1)];
    const schemas = places.map(({ schema }) => schema);
    const value = places.map((place) => place.value);
    if (isOpen) {
      const tail = { any: [1] };
      return { schema: { type: "array", prefixItems: schemas }, value: [...value, tail] };
    }
    return pick<() => Sample>([
      () => ({ schema: { type: "array", prefixItems: schemas, items: false }, value }),
      () => ({ schema: { type: "array", items: schemas, additionalItems: false }, value }),
      () => ({
        schema: { type: "array", items: schemas, additionalItems: { type: "integer" } },
        value: [...value, 7],
      }),
    ])();
  }

  function drawUnion(depth: number): Sample {
    const count = 1 + whole(3);
    const variants = Array.from({ length: count }, () =>
      chance(0.5) ? drawClosed(depth - 1) : draw(depth - 1),
    );
    const schemas = variants.map(({ schema }) => schema);
    const { value } = pick(variants);
    if (chance(0.4)) return { schema: annotate({ oneOf: schemas }), value };
    const nothing = chance(0.2) ? [{ type: "null" }] : [];
    return { schema: annotate({ anyOf: [...schemas, ...nothing] }), value };
  }

  /** At the root variants are folded, so what one of them lists must not be free in another. */
  function drawVariants(depth: number): Sample {
    const variants = [drawClosed(depth - 1), drawClosed(depth - 1), drawClosed(depth - 1)];
    const keyword = pick(["anyOf", "oneOf"]);
    const schema = annotate({ [keyword]: variants.map((variant) => variant.schema) });
    return { schema, value: pick(variants).value };
  }

  function drawJoined(depth: number): Sample {
    const parts = [drawObject(depth - 1), drawObject(depth - 1)];
    const value = Object.assign({}, ...parts.map((part) => part.value));
    return { schema: annotate({ allOf: parts.map(({ schema }) => schema) }), value };
  }

  function drawRefined(depth: number): Sample {
    const { schema, value } = drawObject(depth - 1);
    const anyOf = [
      { required: Object.keys(value).slice(0, 1) },
      { properties: { further: { type: "integer" } }, required: ["further"] },
    ];
    return { schema: { ...schema, anyOf }, value };
  }

  function drawMap(depth: number): Sample {
    const { schema, value } = draw(depth - 1);
    const map = pick<Json>([
      { additionalProperties: schema },
      { patternProperties: { "^(.*)$": schema } },
      { patternProperties: { "^k": schema }, additionalProperties: false },
      {},
    ]);
    return { schema: annotate({ type: "object", ...map }), value: { k1: value } };
  }

  function drawReference(depth: number): Sample {
    const { schema, value } = draw(depth - 1);
    const name = `D${Object.keys(definitions).length}`;
    definitions = { ...definitions, [name]: schema };
    const words = chance(0.3) ? { description: "Referred to." } : {};
    return { schema: { $ref: `#/${holder}/${name}`, ...words }, value };
  }

  const MAKERS: readonly (readonly [share: number, make: (depth: number) => Sample])[] = [
    [0.35, drawScalar],
    [0.15, drawClosed],
    [0.1, drawArray],
    [0.1, drawUnion],
    [0.06, drawJoined],
    [0.04, drawRefined],
    [0.05, () => ({ schema: annotate({}), value: pick(ANYTHING) })],
    [0.05, drawMap],
    [0.06, drawReference],
    [0.04, drawTuple],
  ];

  function draw(depth: number): Sample {
    let left = random();
    for (const [share, make] of depth > 0 ? MAKERS : []) {
      left -= share;
      if (left <= 0) return make(depth);
    }
    return drawScalar();
  }

  /** Parameters of a tool, usually with arguments that fit. */
  return function drawParameters(depth: number): Sample {
    definitions = {};
    holder = pick(["$defs", "definitions"]);
    const { schema, value } = pick([drawClosed, drawClosed, drawVariants, drawJoined, drawRefined])(
      depth,
    );
    const held = Object.keys(definitions).length === 0 ? {} : { [holder]: definitions };
    return { schema: { ...schema, ...held }, value };
  };
}
