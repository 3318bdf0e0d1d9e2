// The door of the media driver: pictures probed and made smaller.

export { createImages, type ImagesOptions } from "./images.js";
