import type { ErrorArea } from './define.ts';

export const UTXOS_LOCKED =
	'Another transaction that was reviewed a moment ago spends the same coins. Send or discard that one first, or wait some minutes; then build this one again.';

/** The review or migration that locks the outputs. */
interface Locked {
	holder: { kind: 'send' | 'migration'; id: string };
}

/** Outputs of a wallet that another review or migration locks. */
export const utxos = {
	'utxos.locked': {
		status: 409,
		message: (_: Readonly<Locked>) => UTXOS_LOCKED
	}
} satisfies ErrorArea<'utxos'>;
