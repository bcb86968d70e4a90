import { conditionAddressMessage, TOKEN_ADDRESS, TOKEN_MODULE_ADDRESS } from '../addressTraps.ts';
import { withCertainty } from '../certainties.ts';
import { obstacleMessage, type SelfImportObstacle } from '../selfImport.ts';
import type { ErrorArea } from './define.ts';

/** What stands in the way of a self-import. */
export const selfImport = {
	'self-import.not-possible': {
		status: 409,
		message: ({ obstacle }: { obstacle: SelfImportObstacle }) => {
			const { reason, mend } = obstacleMessage(obstacle);
			return withCertainty(mend === null ? reason : `${reason} ${mend}`, 'not-sent');
		}
	},
	'self-import.recipient-module': {
		status: 409,
		field: 'address',
		message: () => TOKEN_MODULE_ADDRESS
	},
	'self-import.recipient-token-address': {
		status: 409,
		field: 'address',
		message: () => TOKEN_ADDRESS
	},
	/** What the chain shows of the address is no coins of a person. */
	'self-import.recipient-condition': {
		status: 409,
		field: 'address',
		message: ({ chain }: { chain: string }) => conditionAddressMessage(chain)
	},
	/** Bytes of the import's payload, and what the daemon relays. */
	'self-import.not-relayed': {
		status: 409,
		message: ({ bytes, limit, chain }: { bytes: number; limit: number; chain: string }) =>
			`The import has a payload of ${bytes} bytes, and the daemon relays ${limit}: it would be refused after its source is paid for. Start the daemons of ${chain} with datacarriersize=10001. Nothing was sent.`
	}
} satisfies ErrorArea<'self-import'>;
