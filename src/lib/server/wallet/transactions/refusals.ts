/** Why a transaction was refused on sending: what happened, and what to do. */
import { explainErrorText } from '#lib/rpc/errors/index.ts';
import type { DaemonError } from '../../chains/daemon/daemonError.ts';

/** The refusal as a sentence; unknown words are shown as they are. */
export function explainRefusal(error: DaemonError): string {
	const words = (error.params.rpcMessage ?? error.message).trim();
	const known = explainErrorText('sendrawtransaction', words);
	if (words === '') {
		const reason = known === null ? '' : ` ${known.what} ${known.next}`;
		return `The daemon refused it.${reason}`;
	}
	return known === null
		? `The daemon refused it: ${words}`
		: `${known.what} ${known.next} The daemon said: ${words}`;
}
