/** Messages about the size limits of payload scripts. Sizes are bytes. */

/** A payload that no daemon relays: `limit` applies to every chain (`every`), or to the daemon. */
export interface PayloadFault {
	bytes: number;
	limit: number;
	every: boolean;
}

/** Renders why a payload is too large. */
export const payloadMessage = ({ bytes, limit, every }: PayloadFault): string =>
	every
		? `The payload has ${bytes} bytes; no chain takes more than ${limit}.`
		: `The payload has ${bytes} bytes and the daemon relays ${limit}: shorten the description, or raise datacarriersize.`;
