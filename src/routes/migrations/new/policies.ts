import { migrationForm } from '#lib/messages/pages/migrationForm.ts';

const choices = (names: Readonly<Record<string, string>>) =>
	Object.entries(names).map(([value, label]) => ({ value, label }));

/** What may happen when the proof is complete, as the forms offer it. */
export const policies = choices(migrationForm.policies);

/** What the destination is shown as proof of a burn. */
export const proofs = choices(migrationForm.proofs);

/** The chains of a select, with a first line that is no choice. */
export const chainOptions = (chains: readonly string[]) => [
	{ value: '', label: migrationForm.chooseChain, disabled: true },
	...chains.map((chain) => ({ value: chain, label: chain }))
];
