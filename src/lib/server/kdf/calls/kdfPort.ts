import type { CodedError } from '#lib/messages/errors/index.ts';
import { callFailed } from './failure.ts';
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import { leftOutOf, noteLeftOut } from '#lib/rpc/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { KdfError, KdfErrorCode } from '../client/kdfError.ts';
import { plain } from '../client/plain.ts';
import type { KdfCallOptions, KdfGateway } from '../client/kdfTypes.ts';
import type { Failure, NodePasswordFault } from '#lib/messages/errors/activation.ts';

/** Calls to trading nodes, by the id of the node. */
export interface KdfPort {
	/**
	 * @throws {AppError} `activation.call-failed`; also when a member of the result is used that the node left out or
	 * that cannot be read
	 */
	call<M extends KdfMethod>(
		node: string,
		method: M,
		params: KdfParams<M>,
		judged?: JudgedCall
	): Promise<KdfResult<M>>;
}

/** Decides about a call right before it is sent: it rejects with `queue.kept` for one that is not allowed any more. */
type JudgedCall = Required<Pick<KdfCallOptions, 'beforeSend'>>;

/** Returns what decides about a member's call right before it is sent. */
export type JudgeCall = <M extends KdfMethod>(
	node: string,
	method: M,
	params: KdfParams<M>
) => JudgedCall;

/**
 * Returns a port for the calls of a member, who may lose the right to them while they wait. What follows a task that
 * was begun is not judged: the task would be left behind.
 */
export const judgedPort = (port: KdfPort, judge: JudgeCall): KdfPort => ({
	call: (node, method, params) =>
		/::(?:status|cancel)$/.test(method)
			? port.call(node, method, params)
			: port.call(node, method, params, judge(node, method, params))
});

const KEPT: Failure = { kind: 'refused', type: 'CallKept', message: '', data: null };

/** Converts the error of a call to a failure of an activation. */
function failureOf(error: KdfError): Failure {
	const failed: CodedError<KdfErrorCode> = error.coded;
	const of = (kind: Failure['kind'], type: string | null = null): Failure => ({
		kind,
		type,
		message: '',
		data: null,
		error: failed
	});
	switch (failed.code) {
		case 'kdf.rpc-error': {
			const { type, message, data, place } = failed.params.refusal;
			const at = place === undefined ? {} : { place };
			return { kind: 'refused', type, message, data: plain(data), ...at };
		}
		case 'kdf.untrusted':
		case 'kdf.unreachable':
		case 'kdf.busy':
		case 'kdf.timeout':
			return of(failed.params.delivery === 'not-sent' ? 'away' : 'unsure');
		case 'kdf.password-replaced':
			return of('away', 'PasswordReplaced' satisfies NodePasswordFault);
		case 'kdf.password-unreadable':
			return of('away', 'PasswordUnreadable' satisfies NodePasswordFault);
		case 'kdf.truncated':
		case 'kdf.too-large':
		case 'kdf.not-kdf':
			return { ...of('unsure'), spoiled: true };
		case 'kdf.validation-mismatch':
			return of('misfit');
		case 'kdf.password-refused':
			return of('password');
		case 'kdf.local-only':
			return of('refused', 'LocalHostOnly');
		case 'kdf.safety-control': {
			const { control } = failed.params;
			return { kind: 'switched-off', type: null, message: '', data: null, control };
		}
		case 'kdf.invalid-params':
			return of('refused', 'ParamsNotSent');
		case 'kdf.unknown':
			return of('refused', 'UnknownNode');
	}
}

/** Timeout of a page's query to a trading node, milliseconds. */
const PAGE_MS = 1_000;

/** Returns a port for queries of pages, with a short timeout. */
export const pagePortOver = (gateway: KdfGateway): KdfPort =>
	kdfPortOver(gateway, { timeout: PAGE_MS });

/** Returns a port over the gateway that throws `activation.call-failed`. */
export function kdfPortOver(
	gateway: Pick<KdfGateway, 'call'>,
	options: KdfCallOptions = {}
): KdfPort {
	return {
		async call<M extends KdfMethod>(
			node: string,
			method: M,
			params: KdfParams<M>,
			judged?: JudgedCall
		): Promise<KdfResult<M>> {
			try {
				const result = await gateway.call(node, method, params, { ...options, ...judged });
				noteLeftOut(result, leftOutOf(result), (place) =>
					callFailed({ kind: 'misfit', type: null, message: place, data: null })
				);
				return result;
			} catch (error) {
				// The cause is dropped: it may contain what was sent, and a PIN must not be stored or logged
				// anywhere.
				if (isAppError(error, 'kdf')) throw callFailed(failureOf(error));
				if (isAppError(error, 'queue.kept')) throw callFailed(KEPT);
				throw error;
			}
		}
	};
}
