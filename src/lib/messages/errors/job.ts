import { withStatus, type ErrorArea } from './define.ts';

/** A write that came too late, because another worker holds the row: nothing was stored. */
export const lease = {
	...withStatus(409, {
		'lease.lost': ({ id }: { id: string }) => `Another worker has ${id} now.`,
		/** The worker that chose other bytes for the step also holds the migration. */
		'lease.bytes-chosen': ({ id, step }: { id: string; step: string }) =>
			`Other bytes were chosen for the step ${step} of ${id}.`
	})
} satisfies ErrorArea<'lease'>;

/** A migration that cannot continue because of an internal error. */
export const engine = {
	...withStatus(500, {
		'engine.endless': ({ id }: { id: string }) =>
			`Komodeck stopped working on the migration ${id}: it took more steps in a row than any migration needs, which is a fault of Komodeck. No transaction was sent more than once, and Komodeck tries again by itself; if that fails too, report it with the lines of the log around it.`,
		'engine.no-bytes': ({ id }: { id: string }) =>
			`The transaction that the migration ${id} should send now is not stored, which is a fault of Komodeck. Nothing was sent; report it with the lines of the log around it.`
	}),
	...withStatus(502, {
		/** A daemon is not the one that the migration was started with. */
		'engine.wrong-chain': ({
			chain,
			daemon,
			name,
			ccid
		}: {
			chain: string;
			daemon: string;
			name: string;
			ccid: number | null;
		}) => `The daemon ${daemon} of ${chain} now runs ${name} (CCid ${ccid ?? 'none'}).`,
		'engine.no-sapling': ({ chain }: { chain: string }) => `Sapling is not active on ${chain}.`
	})
} satisfies ErrorArea<'engine'>;
