// The program of the system that starts Steward, keeps it running and ends it: one shape for systemd and launchd.

/** What the service is made of; main.ts fills it in. */
export type Machine = {
  platform: string;
  /** -1 where there are no numbers for users. */
  uid: number;
  userHome: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The Node that Steward is pinned to, and the script that starts Steward with it; neither needs npm or a network. */
  node: string;
  script: string;
};

export type Supervisor = {
  name: "systemd" | "launchd";
  /** Where it looks for the description of a service. */
  path: string;
  describe(freedom: Freedom): string;
  /** How a person sees what Steward printed under it. */
  seenBy: string;
  /** The description has come or has changed: from now on it starts Steward by itself. Returns what else to know. */
  enable(): Promise<readonly string[]>;
  start(): Promise<void>;
  /** Returns when Steward has ended. */
  stop(): Promise<void>;
  /** Before the description goes. */
  disable(): Promise<void>;
  /** After it has gone. */
  forget(): Promise<void>;
  state(): Promise<ServiceState>;
};

/** `failed`: it has been started often enough and is not started again. `detail`: the supervisor's own words for it. */
export type ServiceState = {
  enabled: boolean;
  active: boolean;
  failed: boolean;
  pid: number | undefined;
  detail: string;
};

export type SupervisorDeps = {
  machine: Machine;
  /** The Steward folder, if it is not the usual one. */
  home: string | undefined;
};

/** Whether the sandbox of commands does without programs that change the user (setuid). */
export type Freedom = { mayDropPrivileges: boolean };
