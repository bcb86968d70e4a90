import type { ErrorArea } from './define.ts';

/** A write that came too late, because another worker has the row: nothing was stored. */
export const lease = {
	'lease.lost': {
		status: 409,
		message: ({ id }: { id: string }) => `Another worker has ${id} now.`
	},
	/** Whoever chose the bytes of a step has its migration as well. */
	'lease.bytes-chosen': {
		status: 409,
		message: ({ id, step }: { id: string; step: string }) =>
			`Other bytes were chosen for the step ${step} of ${id}.`
	}
} satisfies ErrorArea<'lease'>;

/** A migration that cannot be moved because of a fault of ours. */
export const engine = {
	'engine.endless': {
		status: 500,
		message: ({ id }: { id: string }) => `The migration ${id} does not come to rest.`
	},
	'engine.no-bytes': {
		status: 500,
		message: ({ id }: { id: string }) => `The migration ${id} has no bytes to send.`
	},
	/** A daemon is not the one that the migration was begun with. */
	'engine.wrong-chain': {
		status: 502,
		message: ({
			chain,
			daemon,
			name,
			ccid
		}: {
			chain: string;
			daemon: string;
			name: string;
			ccid: number | null;
		}) => `The daemon ${daemon} of ${chain} now runs ${name} (CCid ${ccid ?? 'none'}).`
	},
	'engine.no-sapling': {
		status: 502,
		message: ({ chain }: { chain: string }) => `Sapling is not active on ${chain}.`
	}
} satisfies ErrorArea<'engine'>;
