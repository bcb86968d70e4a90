import { withStatus, type ErrorArea } from './define.ts';

/** What stands in the way of an approval with the wallet of a notary. */
export const notaryApproval = {
	...withStatus(409, {
		'notary-approval.no-coins': () =>
			'The wallet of this notary has no coins to pay with: an approval needs 0.0002 coins in few outputs. Nothing was sent.',
		/** Bytes of its payload, what the daemon relays, and what it can be made to relay. */
		'notary-approval.not-relayed': ({
			bytes,
			limit,
			most
		}: {
			bytes: number;
			limit: number;
			most: number;
		}) =>
			`The approval has ${bytes} bytes of data, and the daemon relays ${limit} at most. Start it with datacarriersize=${most}. Nothing was sent.`
	})
} satisfies ErrorArea<'notary-approval'>;
