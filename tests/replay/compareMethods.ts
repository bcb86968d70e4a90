/**
 * Calls every read method, directly and through the product's RPC API: the responses must fit the registry, and
 * the product must pass them on unchanged.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { decodeResult, encodeParams, inBandError } from '#lib/rpc/codec.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { daemonMethods, type DaemonMethod, type DaemonParams } from '#lib/rpc/daemon/index.ts';
import { canonical } from '#lib/rpc/fixture.ts';
import {
	isJsonObject,
	JsonNumber,
	parseJson,
	stringifyJson,
	type JsonValue
} from '#lib/rpc/json.ts';
import type { ProductClient } from '../support/productClient.ts';
import { DaemonRefusal, type DaemonAnswer, type DaemonClient } from './daemonClient.ts';
import type { LabDaemon } from './lab.ts';
import { readCalls, readMethods, type Subjects } from './readCalls.ts';
import type { Report } from './report.ts';

const MESSAGE = 'a replay';

const textOf = (value: JsonValue, name: string): string => {
	const found = isJsonObject(value) ? value[name] : undefined;
	return typeof found === 'string' ? found : '';
};

/** A signature by the wallet; an invalid one if the daemon makes none. */
async function signed(client: DaemonClient, address: string): Promise<string> {
	try {
		return String(await client.wire('signmessage', address, MESSAGE));
	} catch (error) {
		if (!(error instanceof DaemonRefusal)) throw error;
		return 'AAAA';
	}
}

/** Finds items of a chain as parameters for its methods. */
async function subjectsOf(
	{ client, pubkey }: LabDaemon,
	{ symbol, ccid, tokenid, txid }: Pick<Subjects, 'symbol' | 'ccid' | 'tokenid' | 'txid'>
): Promise<Subjects> {
	const address = addressOfPubkey(pubkey);
	const hash = String(await client.wire('getbestblockhash'));
	const block = await client.wire('getblock', hash, 1);
	const height = Number(stringifyJson(await client.wire('getblockcount')));
	const time = isJsonObject(block) ? block['time'] : 0;
	const hex = String(await client.wire('getrawtransaction', txid));
	const decoded = await client.wire('decoderawtransaction', hex);
	const [first] = (isJsonObject(decoded) ? decoded['vout'] : []) as JsonValue[];
	const script = isJsonObject(first) ? textOf(first['scriptPubKey'] ?? null, 'hex') : '';
	return {
		symbol,
		ccid,
		height,
		hash,
		time: time instanceof JsonNumber ? time.toNumber() : 0,
		txid,
		hex,
		script,
		proof: String(await client.wire('gettxoutproof', [txid])),
		address,
		pubkey,
		signature: await signed(client, address),
		message: MESSAGE,
		tokenid
	};
}

/** Why a daemon's response does not fit the registry; empty when it does. */
function mismatchesOf(
	method: DaemonMethod,
	body: string,
	answer: DaemonAnswer,
	client: DaemonClient
): string[] {
	const { status, text, result, error } = answer;
	if (client.dialect === 'seed') {
		if (error !== null || inBandError(daemonMethods[method], result) !== null) return [];
		try {
			decodeResult(method, result, 'seed');
			return [];
		} catch (cause) {
			return [cause instanceof Error ? cause.message : String(cause)];
		}
	}
	const worked = refusalIn(method, answer) === null;
	const verdict = checkFixture(
		stringifyJson({
			service: 'daemon',
			method,
			kind: worked ? 'success' : 'error',
			source: { kind: 'recording' },
			http: { method: 'POST', status: new JsonNumber(String(status)) },
			request: parseJson(body),
			request_text: body,
			response: { result, error, id: 'replay' },
			response_text: text
		})
	);
	return verdict.kind === 'checked' ? verdict.mismatches : [];
}

const said = ({ result, error }: Pick<DaemonAnswer, 'result' | 'error'>): string =>
	canonical({ result, error });

/** The daemon's own message of a refusal; null when the call worked. */
function refusalIn(method: DaemonMethod, { status, result, error }: DaemonAnswer): string | null {
	if (error !== null) return textOf(error, 'message') || stringifyJson(error);
	return inBandError(daemonMethods[method], result) ?? (status === 200 ? null : `status ${status}`);
}

/** @returns the daemon's message if it refused the call */
async function compareCall(
	product: Pick<ProductClient, 'rpc'>,
	{ chain, client }: LabDaemon,
	method: DaemonMethod,
	params: readonly unknown[],
	report: Report
): Promise<string | null> {
	const wire = encodeParams(method, params as DaemonParams<typeof method>, client.dialect);
	const body = client.request(method, wire);
	const place = `${method} ${stringifyJson(wire).slice(0, 120)} on ${chain}`;
	const before = await client.answer(body);
	const refusal = refusalIn(method, before);
	report.count(
		refusal === null ? 'calls of reading methods' : 'calls of reading methods that were refused'
	);
	for (const mismatch of mismatchesOf(method, body, before, client)) {
		report.mismatch('answers', `${place}: ${mismatch}`);
	}
	const passed = await product.rpc(chain, body);
	const after = await client.answer(body);
	// A response that the daemon itself changes a moment later cannot be compared.
	if (said(before) !== said(after)) return refusal;
	let envelope: JsonValue;
	try {
		envelope = parseJson(passed.text);
	} catch {
		report.mismatch('RPC API', `${place}: the product answered ${passed.status} without JSON.`);
		return refusal;
	}
	const { result = null, error = null } = isJsonObject(envelope) ? envelope : {};
	report.same('answers through the RPC API', place, said({ result, error }), said(before));
	return refusal;
}

/** Compares all methods of one daemon; one that it always refuses is not possible with it. */
export async function compareMethods(
	product: Pick<ProductClient, 'rpc'>,
	daemon: LabDaemon,
	subjects: Pick<Subjects, 'symbol' | 'ccid' | 'tokenid' | 'txid'>,
	report: Report
): Promise<void> {
	const calls = readCalls(await subjectsOf(daemon, subjects));
	for (const method of readMethods) {
		const sets: readonly (readonly unknown[])[] = calls[method] ?? [];
		if (sets.length === 0)
			report.mismatch('methods', `${method}: the replay does not know how to call it.`);
		const refusals: string[] = [];
		for (const params of sets) {
			const refusal = await compareCall(product, daemon, method, params, report);
			if (refusal !== null) refusals.push(refusal);
		}
		const [first] = refusals;
		if (first !== undefined && refusals.length === sets.length) {
			const [message = ''] = first.split('\n');
			report.impossible(`${method} on ${daemon.chain}`, message);
		}
	}
}
