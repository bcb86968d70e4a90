/** What a transaction does, in one line: the heading of its page, and its text in lists. */
import { amountProse, namedAmount } from '#lib/text/amounts.ts';
import { count, plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { shortId } from '#lib/text/shortId.ts';

/** An amount in satoshi, with ticker. */
export interface CoinAmount {
	value: bigint;
	ticker: string;
}

/**
 * An amount of a token. Null where unknown; `decimals`: display decimals set by the team, 0 for bare base
 * units.
 */
export interface TokenUnits {
	tokenid: string | null;
	name: string | null;
	units: bigint | null;
	decimals: number;
}

export type Headline =
	| { code: 'coinbase'; paid: CoinAmount | null }
	/** `to`: the addresses paid (null for a script without one); empty when everything returns to the senders. */
	| { code: 'payment'; paid: CoinAmount; to: readonly (string | null)[]; hasData: boolean }
	| { code: 'token-create'; name: string }
	| { code: 'token-transfer'; token: TokenUnits; to: readonly string[] }
	| { code: 'token-destroy'; token: TokenUnits }
	| { code: 'burn'; burned: CoinAmount; target: string }
	| { code: 'token-burn'; token: TokenUnits; target: string }
	/** Imports: `source` is null when the burn does not name it. */
	| { code: 'import'; created: CoinAmount; source: string | null }
	| { code: 'token-import'; token: TokenUnits; source: string | null }
	| { code: 'self-import'; created: CoinAmount }
	| { code: 'notarization'; symbol: string; height: number }
	| { code: 'notary-approval' | 'self-import-source' | 'shielded' | 'other' };

const coins = ({ value, ticker }: CoinAmount): string => `${amountProse(value)} ${ticker}`;

function units({ name, units: moved, decimals }: TokenUnits): string {
	const isNamed = name !== null && name.trim() !== '';
	const what = isNamed ? visibleText(name) : 'a token';
	if (moved === null) return what;
	return isNamed
		? namedAmount(amountProse(moved, decimals), what)
		: `${plural(moved, 'base unit')} of ${what}`;
}

function recipients(to: readonly (string | null)[], many: string): string {
	const [first] = to;
	if (first === undefined || to.length > 1) return `${count(to.length)} ${many}`;
	return first === null ? 'a script' : shortId(first);
}

/** Renders the headline, without a full stop. */
export function headlineMessage(headline: Headline): string {
	switch (headline.code) {
		case 'coinbase':
			return headline.paid === null ? 'Block reward' : `Block reward of ${coins(headline.paid)}`;
		case 'payment': {
			const { paid, to, hasData } = headline;
			const what =
				to.length === 0
					? `Moves ${coins(paid)} within the same address`
					: `Pays ${coins(paid)} to ${recipients(to, 'addresses')}`;
			return hasData ? `${what}, with data` : what;
		}
		case 'token-create':
			return headline.name.trim() === ''
				? 'Creates a token without a name'
				: `Creates token ${visibleText(headline.name)}`;
		case 'token-transfer':
			return headline.to.length === 0
				? `Transfers ${units(headline.token)}`
				: `Transfers ${units(headline.token)} to ${recipients(headline.to, 'public keys')}`;
		case 'token-destroy':
			return `Burns ${units(headline.token)} permanently`;
		case 'burn':
			return `Burns ${coins(headline.burned)} for ${visibleText(headline.target)}`;
		case 'token-burn':
			return `Burns ${units(headline.token)} for ${visibleText(headline.target)}`;
		case 'import':
			return headline.source === null
				? `Imports ${coins(headline.created)}, source chain not named`
				: `Imports ${coins(headline.created)} from ${visibleText(headline.source)}`;
		case 'token-import':
			return headline.source === null
				? `Imports ${units(headline.token)}`
				: `Imports ${units(headline.token)} from ${visibleText(headline.source)}`;
		case 'self-import':
			return `Creates ${coins(headline.created)} by self-import`;
		case 'notarization':
			return `Notarizes ${headline.symbol} up to block ${count(headline.height)}`;
		case 'notary-approval':
			return 'Approves a burn as a notary';
		case 'self-import-source':
			return 'Announces a self-import';
		case 'shielded':
			return 'Shielded payment';
		case 'other':
			return 'Unrecognized transaction';
	}
}
