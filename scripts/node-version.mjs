// Plain old syntax, so that a Node too old for the rest can still read this file and say so.
export function refuseOldNode() {
  var major = Number(process.versions.node.split(".")[0]);
  if (major >= 20) return;
  console.error(
    "Steward needs Node 20 or newer to start, and this is Node " +
      process.versions.node +
      ". Install a newer one (https://nodejs.org), then run the same command again.",
  );
  process.exit(1);
}
