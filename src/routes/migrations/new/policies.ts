import { migrationForm } from '#lib/messages/pages/migrationForm.ts';

const choices = (names: Readonly<Record<string, string>>) =>
	Object.entries(names).map(([value, label]) => ({ value, label }));

/** Options for what happens when the proof is complete. */
export const policies = choices(migrationForm.policies);

/** Options for the proof of the burn. */
export const proofs = choices(migrationForm.proofs);

/** Returns the options of a chain select, starting with a placeholder. */
export const chainOptions = (chains: readonly string[]) => [
	{ value: '', label: migrationForm.chooseChain, disabled: true },
	...chains.map((chain) => ({ value: chain, label: chain }))
];
