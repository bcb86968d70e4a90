import { conditionAddressMessage, TOKEN_ADDRESS, TOKEN_MODULE_ADDRESS } from '../addressTraps.ts';
import { withCertainty } from '../certainties.ts';
import { obstacleMessage, type SelfImportObstacle } from '../selfImport.ts';
import { ofField, withStatus, type ErrorArea } from './define.ts';

/** Why a self-import cannot be made. */
export const selfImport = {
	...withStatus(409, {
		'self-import.not-possible': ({ obstacle }: { obstacle: SelfImportObstacle }) => {
			const { reason, mend } = obstacleMessage(obstacle);
			return withCertainty(mend === null ? reason : `${reason} ${mend}`, 'not-sent');
		},
		/** Bytes of the import's payload, and the daemon's limit. */
		'self-import.not-relayed': ({
			bytes,
			limit,
			chain
		}: {
			bytes: number;
			limit: number;
			chain: string;
		}) =>
			`The import has a payload of ${bytes} bytes, and the daemon relays ${limit}: it would be refused after its source is paid for. Start the daemons of ${chain} with datacarriersize=10001. Nothing was sent.`
	}),
	...ofField('address', 409, {
		'self-import.recipient-module': () => TOKEN_MODULE_ADDRESS,
		'self-import.recipient-token-address': () => TOKEN_ADDRESS,
		/** According to the chain, the address holds tokens or other conditions, not ordinary coins. */
		'self-import.recipient-condition': ({ chain }: { chain: string }) =>
			conditionAddressMessage(chain)
	})
} satisfies ErrorArea<'self-import'>;
