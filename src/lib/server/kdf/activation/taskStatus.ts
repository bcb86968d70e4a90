import type { KdfMethod, KdfResult } from '#lib/rpc/kdf/index.ts';
import { plain, type Plain } from '../client/plain.ts';
import type { TaskStatus } from './step.ts';

/** Status of a task. Its result may be that of another caller's task. */
type StatusRead =
	| Exclude<TaskStatus, { kind: 'ok' }>
	/** `ticker` is the coin that the result names; null when it names none. */
	| { kind: 'ok'; result: Plain; ticker: string | null };

/** Reads the status of a task. The registry has converted errors of both dialects to one form. */
export function readStatus(status: KdfResult<KdfMethod>): StatusRead {
	const { status: word, details } = plain(status) as {
		status: string;
		details: Plain;
	};
	if (word === 'Error') {
		const {
			error,
			error_type: type,
			error_data: data,
			error_path: path = '',
			error_trace: trace = ''
		} = details as {
			error: string;
			error_path?: string;
			error_trace?: string;
			error_type: string;
			error_data?: Plain;
		};
		return {
			kind: 'error',
			failure: {
				kind: 'refused',
				type,
				message: error,
				data: data ?? null,
				place: { path, trace }
			}
		};
	}
	if (word === 'Ok') {
		const { ticker } = (details ?? {}) as { ticker?: unknown };
		return { kind: 'ok', result: details, ticker: typeof ticker === 'string' ? ticker : null };
	}
	return { kind: word === 'UserActionRequired' ? 'action' : 'progress', step: details };
}
