/** Secrets without a fixed beginning, known by letters that always stand at the same distance from their start. */
export type MarkedFormat = {
  readonly name: string;
  readonly mark: string;
  readonly markOffset: number;
  readonly body: string;
};

export const markedFormats: readonly MarkedFormat[] = [
  { name: "azure-client-secret", mark: "Q~", markOffset: 4, body: "[\\w~.]{3}\\dQ~[\\w~.-]{31,34}" },
  {
    name: "rapidapi-key",
    mark: "msh",
    markOffset: 10,
    body: "[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{6}jsn[a-f0-9]{12}",
  },
  { name: "terraform-token", mark: ".atlasv1.", markOffset: 14, body: "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{50,90}" },
  { name: "mailchimp-key", mark: "-us", markOffset: 32, body: "[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])" },
  { name: "new-relic-license", mark: "NRAL", markOffset: 36, body: "[A-Za-z0-9]{36}NRAL(?![A-Za-z0-9])" },
  { name: "maxmind-key", mark: "_mmk", markOffset: 36, body: "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])" },
  {
    name: "azure-devops-token",
    mark: "AZDO",
    markOffset: 76,
    body: "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])",
  },
  {
    name: "azure-resource-key",
    mark: "JQQJ99",
    markOffset: 52,
    body: "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])",
  },
];
