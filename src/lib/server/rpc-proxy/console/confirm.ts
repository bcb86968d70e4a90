/** What the console shows for confirmation before a call that changes something is sent. */
import { hash } from 'node:crypto';
import { classify } from '#lib/chain/classified.ts';
import { explainHex } from '#lib/chain/explain.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import { explanationShown, type ShownPart } from '#lib/messages/decoder/explanation.ts';
import { explainFaultMessage } from '#lib/messages/decoder/faults.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import type { ConsoleProblem } from '#lib/messages/errors/console.ts';
import { consolePage } from '#lib/messages/pages/console.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hasSecrets, holdsSecret, paramFacts } from '#lib/rpc/daemon/parameters.ts';
import { knownTrap } from '../../chains/daemon/ccAddresses.ts';
import { TRAP_CODES } from '../../chains/daemon/refuseTraps.ts';
import { encodeDialect } from '../../chains/daemon/encodeDialect.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import { mayHoldWalletKey } from '../../platform/logging/redact.ts';
import { definitionOf, fieldsOf } from './catalogue.ts';
import { readWritten, WRITTEN, type Typed } from './form.ts';

/** Returns a digest that changes with each part of a call; the form that confirms the call holds it. */
export const markOf = (...parts: readonly (string | null)[]): string =>
	hash('sha256', JSON.stringify(parts), 'base64url');

export interface Confirmation {
	/** Digest that changes with the call; it covers no secret. */
	mark: string;
	/** JSON text of the parameter array in the daemon's dialect, with secrets masked. */
	params: string;
	/** Hex parameters, decoded. */
	decoded: { name: string; node: ShownPart }[];
	/** Sentences about hex that could not be decoded. */
	unread: string[];
	/** Sentences about recipients whose coins could never be spent. */
	lost: string[];
}

/** Replaces secrets in displayed parameters. */
const MASK = '"(not shown)"';

/** Returns the parameters as JSON texts, with those that may be secret masked. */
export function withoutSecrets(method: DaemonMethod, params: readonly string[]): string[] {
	const names = definitionOf(method).params.map(({ name }) => name);
	return params.map((text, index) =>
		paramFacts(method, names[index] ?? '')?.secret === true ? MASK : text
	);
}

/** Whether parameters written as one JSON text contain a secret, as far as the text can be parsed. */
function writtenSecret(method: DaemonMethod, text: string): boolean {
	if (!hasSecrets(method)) return false;
	const read = readWritten(text);
	return 'errors' in read ? mayHoldWalletKey(text) : holdsSecret(method, read.params);
}

/** Returns the typed values to put back into the form. Secrets are left out and must be typed again. */
export function typedAgain(method: DaemonMethod, typed: Typed): Typed {
	const secret = fieldsOf(method).filter(({ control }) => control === 'password');
	const hidden = new Set(secret.map(({ field }) => field));
	return Object.fromEntries(
		Object.entries(typed).filter(
			([name, text]) => !hidden.has(name) && !(name === WRITTEN && writtenSecret(method, text))
		)
	);
}

function hexOf(text: string): string | null {
	const value: unknown = JSON.parse(text);
	return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns why the hex is not a transaction; null when it is one. */
export function notATransaction(hex: string): ConsoleProblem | null {
	const found = explainHex(hex);
	if ('code' in found) return { code: 'console.hex-unreadable', params: { fault: found } };
	if (found.label.code === 'transaction') return null;
	return { code: 'console.not-a-transaction', params: { found: found.label } };
}

/** Returns sentences about addresses that a transaction pays to and from which its coins could never be spent. */
function lostIn(hex: string, pubkeys: readonly string[]): string[] {
	const outputs = readableTransaction(hex)?.vout ?? [];
	const addresses = outputs.flatMap(({ script }) => {
		// Outputs with a crypto-condition legitimately have such an address.
		const { type, address } = classify(script);
		return type === 'cryptocondition' ? [] : (address ?? []);
	});
	return [...new Set(addresses)].flatMap((address) => {
		const trap = knownTrap(address, pubkeys);
		return trap === null ? [] : errorMessage(TRAP_CODES[trap], { address });
	});
}

/**
 * @param params JSON text of each parameter, as it will be sent
 * @param pubkeys pubkeys of the configured wallets, hex
 */
export function confirmationOf(
	method: DaemonMethod,
	daemon: DaemonInfo,
	params: readonly string[],
	pubkeys: readonly string[]
): Confirmation {
	const shown = withoutSecrets(method, params);
	const text = encodeDialect(method, shown, daemon.dialect);
	const decoded: Confirmation['decoded'] = [];
	const unread: string[] = [];
	const lost: string[] = [];
	for (const [index, param] of definitionOf(method).params.entries()) {
		const given = params[index];
		if (given === undefined || paramFacts(method, param.name)?.format !== 'hex') continue;
		const hex = hexOf(given);
		if (hex === null) continue;
		lost.push(...lostIn(hex, pubkeys));
		const found = explainHex(hex);
		if ('code' in found)
			unread.push(consolePage.confirm.unread(param.name, explainFaultMessage(found)));
		else decoded.push({ name: param.name, node: explanationShown(found, daemon.chain) });
	}
	const mark = markOf(method, daemon.id, daemon.pubkey, text);
	return { mark, params: text, decoded, unread, lost };
}
