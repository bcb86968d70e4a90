import { withStatus, type ErrorArea } from './define.ts';

/** Why a notary's wallet cannot give an approval. */
export const notaryApproval = {
	...withStatus(409, {
		'notary-approval.no-coins': () =>
			'The wallet of this notary has no coins to pay with: an approval needs 0.0002 coins in few outputs. Nothing was sent.',
		/** Bytes of the payload, the daemon's limit, and the limit that it could be configured to. */
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
