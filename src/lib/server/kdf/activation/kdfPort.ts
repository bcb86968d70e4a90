import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import { KdfError, type KdfCallOptions, type KdfGateway } from '../client/kdfTypes.ts';
import type { KdfPort } from './engine.ts';
import { KdfFailure, type Failure } from './failure.ts';
import { plain } from './plain.ts';

/** What a failed call means for an activation. */
function failureOf(error: KdfError): Failure {
	const of = (kind: Failure['kind'], message: string, type: string | null = null): Failure => ({
		kind,
		type,
		message,
		data: null
	});
	switch (error.code) {
		case 'refused':
			return {
				kind: 'refused',
				type: error.refusal?.type ?? null,
				message: error.refusal?.message ?? 'The node refused.',
				data: plain(error.refusal?.data)
			};
		case 'untrusted':
			return of('away', 'The trading node shows a certificate that is not trusted here.');
		case 'unreachable':
		case 'busy':
			return of('away', 'The trading node does not answer.');
		case 'timeout':
		case 'truncated':
		case 'too-large':
		case 'not-a-node':
			return error.reached === 'no'
				? of('away', 'The trading node does not answer.')
				: of('unsure', 'The trading node gave no whole answer.');
		case 'misfit':
			return of('misfit', 'The trading node answered in a form that is not known.');
		case 'stopped':
			return of('password', 'The trading node refused the configured password.');
		case 'elsewhere':
			return of(
				'refused',
				'It takes calls from its own machine only (rpc_local_only).',
				'LocalHostOnly'
			);
		case 'switched-off':
			return of('switched-off', error.why ?? 'An admin has switched this off.');
		case 'bad-params':
			return of('refused', error.why ?? 'The parameters do not fit.', 'InvalidRequest');
		case 'unknown-node':
			return of('refused', 'No trading node of this name is configured.', 'UnknownNode');
	}
}

/** How long a page waits for a trading node. Milliseconds. */
const PAGE_MS = 1_000;

/** The same for what a page only wants to know. */
export const pagePortOver = (gateway: KdfGateway): KdfPort =>
	kdfPortOver(gateway, { patience: PAGE_MS });

/** The gateway to the trading nodes, with its failures in the engine's form. */
export function kdfPortOver(gateway: KdfGateway, options: KdfCallOptions = {}): KdfPort {
	return {
		async call<M extends KdfMethod>(
			node: string,
			method: M,
			params: KdfParams<M>
		): Promise<KdfResult<M>> {
			try {
				return await gateway.call(node, method, params, options);
			} catch (error) {
				// The cause is left behind: it may hold what was sent, and a PIN must be nowhere.
				if (error instanceof KdfError) throw new KdfFailure(failureOf(error));
				throw error;
			}
		}
	};
}
