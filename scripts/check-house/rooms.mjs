// The rooms of src, their ranks, and where a path lies among them.
export const RANKS = {
  public: 6,
  cli: 5,
  gateway: 4,
  toolkit: 3,
  agent: 3,
  node: 3,
  tools: 2,
  drivers: 2,
  channels: 2,
  sessions: 2,
  plugins: 2,
  connectors: 2,
  mcp: 2,
  adapters: 2,
  audit: 2,
  protocol: 1,
  config: 1,
  core: 0,
  lib: 0,
};

/** In these each sub-folder is a room with its own door, and the files directly inside are doors. */
const COMPOSITE_ROOMS = ["tools", "drivers", "channels", "mcp"];

/** Doors beside the one of the room, for what most who enter it must not load. */
const FURTHER_DOORS = {
  core: [
    "browser.ts",
    "command/index.ts",
    "connector.ts",
    "files/index.ts",
    "server.ts",
    "stages.ts",
    "wire.ts",
  ],
  config: ["edit/index.ts"],
};

/** The room and sub-room of a path such as "src/tools/read/index.ts", and its door. */
export function placeOf(path) {
  const [, room, ...rest] = path.split("/");
  const isComposite = COMPOSITE_ROOMS.includes(room);
  const subRoom = isComposite && rest.length > 1 ? rest[0] : undefined;
  const inside = (subRoom ? rest.slice(1) : rest).join("/");
  const isFurtherDoor = FURTHER_DOORS[room]?.includes(inside) ?? false;
  const isDoor = inside === "index.ts" || isFurtherDoor || (isComposite && !subRoom);
  return {
    room,
    subRoom,
    isComposite,
    inside,
    isDoor,
    name: subRoom ? `${room}/${subRoom}` : room,
  };
}
