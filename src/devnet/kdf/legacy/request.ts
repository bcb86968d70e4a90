import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import type { CoinEntry } from '../coinsFile.ts';
import type { KdfContext } from '../context.ts';
import { LegacyError } from '../error.ts';
import { protocolOf, type Protocol } from '../protocol.ts';
import { SerdeError } from '../serde.ts';

/** Parameters of a legacy call. */
export type Body = { readonly [name: string]: JsonValue };

/** Runs a parsing step and adds a source location to its errors. */
export function within<T>(trace: string, run: () => T): T {
	try {
		return run();
	} catch (cause) {
		if (cause instanceof SerdeError) throw new LegacyError(`${trace}${cause.message}`);
		throw cause;
	}
}

export const tickerOf = (body: Body, trace: string): string => {
	const { coin } = body;
	if (typeof coin === 'string') return coin;
	throw new LegacyError(`${trace}No 'coin' field`);
};

/** Reads an integer; undefined for any other value, which the release ignores too. */
export const optionalInteger = (value: JsonValue | undefined): number | undefined =>
	value instanceof JsonNumber && /^\d+$/.test(value.source) ? value.toNumber() : undefined;

/** Checks whether a coin may be activated, in the node's order of checks. @throws {LegacyError} */
export function checked(
	context: KdfContext,
	body: Body,
	trace: string
): { entry: CoinEntry; protocol: Protocol; ticker: string } {
	const ticker = tickerOf(body, trace);
	if (context.coins.has(ticker)) {
		throw new LegacyError(`${trace}lp_coins:5210] Coin ${ticker} already initialized`);
	}
	const entry = context.entry(ticker);
	if (body['mm2'] === undefined && entry?.mm2 === undefined) {
		throw new LegacyError(
			`${trace}lp_coins:6228] mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported`
		);
	}
	if (
		context.rules.seedForms &&
		body['mm2'] !== undefined &&
		!['0', '1'].includes(String((body['mm2'] as Partial<JsonNumber>).source))
	) {
		throw new LegacyError(`${trace}mm2 must be 0 or 1`);
	}
	if (!entry?.protocol) {
		throw new LegacyError(
			`${trace}lp_coins:6239] "protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one`
		);
	}
	return {
		ticker,
		entry,
		protocol: within(`${trace}lp_coins:5221] `, () => protocolOf(entry, context.rules))
	};
}
