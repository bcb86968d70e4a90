import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfRules } from './rules.ts';
import { SerdeError, variant } from './serde.ts';

const COMMON = ['UTXO', 'QTUM', 'QRC20', 'ETH', 'ERC20'];

/** Protocols that a node knows, in the order in which its parser lists them. */
const known = ({ seedForms, build }: KdfRules): readonly string[] => {
	if (seedForms) {
		const rest = ['TENDERMINT', 'TENDERMINTTOKEN', 'LIGHTNING', 'SOLANA', 'SPLTOKEN', 'ZHTLC'];
		return [...COMMON, ...rest, 'BCH', 'SLPTOKEN', 'NFT'];
	}
	const shared = ['BCH', 'TENDERMINT', 'TENDERMINTTOKEN', 'LIGHTNING', 'ZHTLC'];
	return build === '2.5.1'
		? [...COMMON, 'TRX', 'SLPTOKEN', ...shared, 'NFT']
		: [...COMMON, 'TRX', 'TRC20', 'SLPTOKEN', ...shared, 'SIA', 'NFT', 'SOLANA', 'SOLANATOKEN'];
};

/** Protocol of a coin. */
export interface Protocol {
	type: string;
	data: { readonly [name: string]: JsonValue };
	/** The protocol as shown in errors. */
	json: JsonValue;
}

/** Parses the protocol of an entry. @throws {SerdeError} with the parser's message */
export function protocolOf(entry: CoinEntry, rules: KdfRules): Protocol {
	const { protocol } = entry;
	if (!isJsonObject(protocol as unknown as JsonValue)) {
		throw new SerdeError('invalid type: null, expected adjacently tagged enum CoinProtocol');
	}
	const type = variant(...known(rules))(protocol!.type);
	const data = protocol!.protocol_data;
	const bare = data === undefined || data === null;
	// Since release 3 UTXO coins may have data, so its absence is shown as null.
	const shownNull = bare && type === 'UTXO' && rules.build === '3.0.0' && !rules.seedForms;
	return {
		type,
		data: isJsonObject(data) ? data : {},
		json: bare
			? shownNull
				? { type, protocol_data: null }
				: { type }
			: { type, protocol_data: data }
	};
}
