// The port to settings that a person made outside the configuration, such as the keys of services.

export interface Environment {
  /** Only what is asked for by its name; undefined when it is not set or blank. */
  read(name: string): string | undefined;
}
