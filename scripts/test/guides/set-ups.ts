const suppliers = [
  'runward data create Suppliers --column Name --column "VAT number" --column Street --column Revenue:NUMBER',
  'runward data import Suppliers erp.csv --map Name=NAME1 --map Street=STRAS',
];

/** Two more versions of the template of the examples. */
const versions = [1, 2].flatMap((number) => [
  `runward templates variables create "Employee onboarding" --key extra_${number}`,
  'runward templates publish "Employee onboarding"',
]);

const supplierOnboarding = [
  'runward templates create --name "Supplier onboarding"',
  'runward templates tasks create "Supplier onboarding" --title "Check the bank details"',
  'runward templates publish "Supplier onboarding"',
];

/** Command lines to run before those of a page, to create what the page takes for granted. */
export const setUps: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/analytics.md': [
    'runward views create "Late onboardings" --status OVERDUE',
    'runward runs launch --template "Employee onboarding" --title "Onboard Ada"',
  ],
  'docs/guides/cli.md': [...versions, suppliers[0] ?? ''],
  'docs/guides/data-sources.md': [
    ...suppliers,
    'runward data create Orders --column Number',
    'echo "Number,4711" | tr , "\\n" | runward data import Orders -',
  ],
  'docs/guides/sharing.md': [...supplierOnboarding, 'runward folders create --name Procurement'],
  'docs/guides/templates.md': supplierOnboarding,
  'packages/cli/README.md': [
    ...versions,
    'runward folders create --name Partners',
    'runward folders create --name "Old templates"',
    'echo \'{ "runIds": ["RUN"] }\' > ids.json',
  ],
};
