// Which Debian packages a job needs: a package is needed only where its command is not on PATH.
const GIT = {
  package: "git",
  command: "git",
  why: "the fresh-clone test asks it which files belong to the project",
};

const BUBBLEWRAP = {
  package: "bubblewrap",
  command: "bwrap",
  why: "commands of agents run in its sandbox",
};

const CHROMIUM = {
  package: "chromium",
  command: "chromium",
  why: "the browser tool drives it",
};

const ZSH = { package: "zsh", command: "zsh", why: "its completion is tried" };
const FISH = { package: "fish", command: "fish", why: "its completion is tried" };

export const DEBIAN_PACKAGES = {
  start: [],
  test: [GIT, BUBBLEWRAP, CHROMIUM, ZSH, FISH],
  bench: [BUBBLEWRAP, CHROMIUM],
  trace: [BUBBLEWRAP, CHROMIUM],
  campaign: [GIT, BUBBLEWRAP, CHROMIUM],
};

/** Jobs that cannot do their work without the packages; the others only warn. */
export const STRICT_JOBS = ["test", "campaign"];
