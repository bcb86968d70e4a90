/** What is said of the room that nodes give to a payload script. Sizes are bytes. */

/** No node takes it: `limit` is that of every chain (`every`), or of the daemon. */
export interface PayloadFault {
	bytes: number;
	limit: number;
	every: boolean;
}

/** Why a payload does not get through. */
export const payloadMessage = ({ bytes, limit, every }: PayloadFault): string =>
	every
		? `The payload has ${bytes} bytes; no chain takes more than ${limit}.`
		: `The payload has ${bytes} bytes and the daemon relays ${limit}: shorten the description, or raise datacarriersize.`;
