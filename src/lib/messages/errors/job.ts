import { withStatus, type ErrorArea } from './define.ts';

/** A write that came too late, because another worker has the row: nothing was stored. */
export const lease = {
	...withStatus(409, {
		'lease.lost': ({ id }: { id: string }) => `Another worker has ${id} now.`,
		/** Whoever chose the bytes of a step has its migration as well. */
		'lease.bytes-chosen': ({ id, step }: { id: string; step: string }) =>
			`Other bytes were chosen for the step ${step} of ${id}.`
	})
} satisfies ErrorArea<'lease'>;

/** A migration that cannot be moved because of a fault of ours. */
export const engine = {
	...withStatus(500, {
		'engine.endless': ({ id }: { id: string }) => `The migration ${id} does not come to rest.`,
		'engine.no-bytes': ({ id }: { id: string }) => `The migration ${id} has no bytes to send.`
	}),
	...withStatus(502, {
		/** A daemon is not the one that the migration was begun with. */
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
