/** What commands of a group run in; auto: as those of the owner. Apart from the schema, which the command line does not wait for. */
export const sandboxKinds = ["auto", "bwrap", "podman", "docker", "apple-container"] as const;
