/** Which fields of the console's forms may contain a password, a PIN or a private key, by the registry. */
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hasSecrets, paramFacts } from '#lib/rpc/daemon/parameters.ts';
import { isKdfMethod } from '#lib/rpc/kdf/index.ts';
import { kdfParamsOf, mayHoldSecrets } from '#lib/rpc/kdf/parameters.ts';
import { definitionOf, fieldName } from './catalogue.ts';
import { WRITTEN } from './form.ts';
import { kdfFieldName } from './kdf/catalogue.ts';

const NONE: ReadonlySet<string> = new Set();

function ofDaemonMethod(method: string): ReadonlySet<string> {
	if (!isDaemonMethod(method) || !hasSecrets(method)) return NONE;
	const secret = definitionOf(method).params.filter(
		({ name }) => paramFacts(method, name)?.secret === true
	);
	return new Set([WRITTEN, ...secret.map(fieldName)]);
}

function ofKdfMethod(method: string): ReadonlySet<string> {
	if (!isKdfMethod(method) || !mayHoldSecrets(method)) return NONE;
	const secret = kdfParamsOf(method, 'kdf').filter((param) => param.secret);
	return new Set([WRITTEN, ...secret.map(kdfFieldName)]);
}

/**
 * Returns the names of the fields that may contain a secret; parameters written as one JSON text count as a
 * whole.
 * @param method name of the method in the page's address
 */
export function secretFieldsOf(routeId: string | null, method: string): ReadonlySet<string> {
	if (routeId === '/console/[method]') return ofDaemonMethod(method);
	if (routeId === '/console/kdf/[method]') return ofKdfMethod(method);
	return NONE;
}
