/** Parses the form of a rule, reporting every faulty field, and fills it in from a rule. */
import { bareText } from '#lib/chain/bareText.ts';
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { formatCoins, parseCoins } from '#lib/chain/amount.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { isHash } from '#lib/chain/idText.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { formatUnits, parseUnits } from '#lib/chain/tokenUnits.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { POLICIES } from '#lib/messages/pages/policies.ts';
import { isRuleKind, type RuleKind } from '#lib/messages/policies/kinds.ts';
import { isRole, type Role } from '../../identity/roles.ts';
import type { RuleBody } from './rule.ts';

const FAULTS = POLICIES.faults;

/** Kinds that have no bytes which others could approve. */
const NEVER_APPROVED: ReadonlySet<string> = new Set<RuleKind>(['activation', 'sign']);

/** The fields as they were typed. */
export interface TypedRule {
	who: string;
	wallet: string;
	kind: string;
	asset: string;
	tokenid: string;
	over: string;
	hours: string;
	total: string;
	count: string;
	recipient: string;
	listed: string;
	effect: string;
	needed: string;
	members: string[];
	roles: string[];
}

export type RuleFaults = { [field in keyof TypedRule]?: string };

/** The valid choices of the form. */
export interface RuleChoices {
	/** Ids of accounts. */
	members: ReadonlySet<string>;
	/** Ids of API tokens. */
	tokens: ReadonlySet<string>;
	/** Ids of daemons and trading nodes. */
	wallets: ReadonlySet<string>;
	chains: ReadonlySet<string>;
	/** Returns the number of decimals of a token's amounts. */
	decimalsOf(chain: string, tokenid: string): Promise<number>;
	/** Returns the address that a label of the address book names; null when there is none. */
	addressOfLabel(label: string): Promise<string | null>;
}

export const EMPTY_RULE: TypedRule = {
	who: 'anyone',
	wallet: 'any',
	kind: 'any',
	asset: 'any',
	tokenid: '',
	over: '',
	hours: '',
	total: '',
	count: '',
	recipient: 'anyone',
	listed: '',
	effect: 'approve',
	needed: '1',
	members: [],
	roles: []
};

const part = (text: string): [name: string, rest: string] => {
	const at = text.indexOf(':');
	return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** Parses the form value of whom a rule fits; null when it is not a valid choice. */
function readWho(text: string, { members, tokens }: RuleChoices): RuleBody['who'] | null {
	const [is, of] = part(text);
	if (is === 'anyone' || is === 'any-token') return { is };
	if (is === 'role') return isRole(of) ? { is, role: of } : null;
	if (is === 'member') return members.has(of) ? { is, account: of } : null;
	return is === 'token' && tokens.has(of) ? { is, token: of } : null;
}

/** @returns null for an invalid choice; `tokenid` when the token's id is malformed */
export function readAsset(
	text: string,
	tokenid: string,
	{ chains }: RuleChoices
): RuleBody['asset'] | 'tokenid' | null {
	const [is, chain] = part(text);
	if (is === 'any') return { is };
	if (!chains.has(chain)) return null;
	if (is === 'coin') return { is, chain };
	if (is !== 'token') return null;
	const id = bareText(tokenid).toLowerCase();
	return isHash(id) ? { is, chain, tokenid: id } : 'tokenid';
}

/** The address of a typed address or public key; null when the text is neither. */
export function addressOf(text: string): string | null {
	if (isValidAddress(text)) return text;
	const key = text.toLowerCase();
	return isHex(key) && key.length === 66 && isValidPubkey(key) ? addressOfPubkey(key) : null;
}

/** Parses an amount of an asset; returns the message of the fault where it is invalid. */
export async function readAmount(
	text: string,
	asset: RuleBody['asset'],
	{ decimalsOf }: RuleChoices
): Promise<{ amount: bigint } | { fault: string }> {
	if (asset.is === 'any') return { fault: FAULTS.noUnit };
	if (asset.is === 'token') {
		const read = parseUnits(text, await decimalsOf(asset.chain, asset.tokenid));
		return read.ok ? { amount: read.units } : { fault: chainErrorMessage(read.fault) };
	}
	try {
		return { amount: parseCoins(text) };
	} catch (error) {
		if (!isChainError(error, 'amount')) throw error;
		return { fault: chainErrorMessage(error) };
	}
}

function readInteger(text: string, least: number, most: number): number | null {
	const value = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
	return value >= least && value <= most ? value : null;
}

async function readRecipient(
	{ recipient, listed }: TypedRule,
	{ addressOfLabel }: RuleChoices,
	errors: RuleFaults
): Promise<RuleBody['recipient']> {
	if (recipient === 'anyone' || recipient === 'own') return { is: recipient };
	if (recipient !== 'listed') {
		errors.recipient = FAULTS.choice;
		return { is: 'anyone' };
	}
	const found: { address: string; label: string | null }[] = [];
	const lines = listed.split('\n').map(bareText);
	for (const line of lines.filter((one) => one !== '').slice(0, 200)) {
		// The format that `typedOf` writes: `label = address`.
		const [, kept = '', keptAddress = ''] = /^(.+) = (\S+)$/.exec(line) ?? [];
		const address = addressOf(line) ?? addressOf(keptAddress);
		const ofLabel = address === null ? await addressOfLabel(line) : null;
		if (address !== null) found.push({ address, label: kept === '' ? null : kept });
		else if (ofLabel !== null) found.push({ address: ofLabel, label: line });
		else errors.listed = FAULTS.recipient(line.slice(0, 80));
	}
	if (found.length === 0) errors.listed ??= FAULTS.noRecipient;
	return { is: 'listed', listed: found };
}

function readEffect(
	{ kind, effect, needed, members, roles }: TypedRule,
	choices: RuleChoices,
	errors: RuleFaults
): RuleBody['effect'] {
	if (effect === 'allow' || effect === 'deny') return { is: effect };
	if (effect !== 'approve') {
		errors.effect = FAULTS.choice;
		return { is: 'deny' };
	}
	if (NEVER_APPROVED.has(kind)) errors.effect = FAULTS.noBytes;
	const count = readInteger(bareText(needed), 1, 20);
	if (count === null) errors.needed = FAULTS.needed;
	if (members.some((id) => !choices.members.has(id))) errors.members = FAULTS.choice;
	if (!roles.every(isRole)) errors.roles = FAULTS.choice;
	if (members.length + roles.length === 0) errors.members = FAULTS.noApprover;
	return { is: 'approve', needed: count ?? 1, members, roles: roles.filter(isRole) as Role[] };
}

async function readWindow(
	{ hours, total, count }: TypedRule,
	asset: RuleBody['asset'],
	choices: RuleChoices,
	errors: RuleFaults
): Promise<RuleBody['window']> {
	const [of, most, many] = [bareText(hours), bareText(total), bareText(count)];
	if (of === '' && most === '' && many === '') return null;
	const length = of === '' ? null : readInteger(of, 1, 720);
	if (length === null) errors.hours = of === '' ? FAULTS.noWindow : FAULTS.hours;
	if (most === '' && many === '') errors.total = FAULTS.emptyWindow;
	let amount: bigint | null = null;
	if (most !== '') {
		const read = await readAmount(most, asset, choices);
		if ('fault' in read) errors.total = read.fault;
		else ({ amount } = read);
	}
	const uses = many === '' ? null : readInteger(many, 0, 1_000_000);
	if (many !== '' && uses === null) errors.count = FAULTS.count;
	return { hours: length ?? 1, total: amount, count: uses };
}

/** Reads the form of a rule. All errors are returned together, each at its field. */
export async function readRule(
	typed: TypedRule,
	choices: RuleChoices
): Promise<{ rule: RuleBody } | { errors: RuleFaults }> {
	const errors: RuleFaults = {};
	const who = readWho(typed.who, choices);
	if (who === null) errors.who = FAULTS.choice;
	const { wallet, kind } = typed;
	if (wallet !== 'any' && !choices.wallets.has(wallet)) errors.wallet = FAULTS.choice;
	if (kind !== 'any' && !isRuleKind(kind)) errors.kind = FAULTS.choice;
	const found = readAsset(typed.asset, typed.tokenid, choices);
	if (found === null) errors.asset = FAULTS.choice;
	if (found === 'tokenid') errors.tokenid = FAULTS.tokenid;
	const asset = found === null || found === 'tokenid' ? ({ is: 'any' } as const) : found;
	let over: bigint | null = null;
	if (bareText(typed.over) !== '') {
		const read = await readAmount(typed.over, asset, choices);
		if ('fault' in read) errors.over = read.fault;
		else over = read.amount;
	}
	const window = await readWindow(typed, asset, choices, errors);
	const recipient = await readRecipient(typed, choices, errors);
	const effect = readEffect(typed, choices, errors);
	if (Object.keys(errors).length > 0 || who === null) return { errors };
	const of = isRuleKind(kind) ? kind : null;
	return {
		rule: {
			who,
			wallet: wallet === 'any' ? null : wallet,
			kind: of,
			asset,
			over,
			window,
			recipient,
			effect
		}
	};
}

function whoText(who: RuleBody['who']): string {
	switch (who.is) {
		case 'role':
			return `role:${who.role}`;
		case 'member':
			return `member:${who.account}`;
		case 'token':
			return `token:${who.token}`;
		default:
			return who.is;
	}
}

/**
 * Fills the form in from an existing rule.
 * @param decimals of its token
 */
export function typedOf(rule: RuleBody, decimals: number): TypedRule {
	const { asset, window, recipient, effect } = rule;
	const written = (amount: bigint | null | undefined): string =>
		amount === null || amount === undefined
			? ''
			: asset.is === 'token'
				? formatUnits(amount, decimals)
				: formatCoins(amount).replace(/\.?0+$/, '');
	return {
		who: whoText(rule.who),
		wallet: rule.wallet ?? 'any',
		kind: rule.kind ?? 'any',
		asset: asset.is === 'any' ? 'any' : `${asset.is}:${asset.chain}`,
		tokenid: asset.is === 'token' ? asset.tokenid : '',
		over: written(rule.over),
		hours: window === null ? '' : String(window.hours),
		total: written(window?.total),
		count: window === null || window.count === null ? '' : String(window.count),
		recipient: recipient.is,
		listed:
			recipient.is === 'listed'
				? recipient.listed
						.map(({ address, label }) => (label === null ? address : `${label} = ${address}`))
						.join('\n')
				: '',
		effect: effect.is,
		needed: effect.is === 'approve' ? String(effect.needed) : '1',
		members: effect.is === 'approve' ? [...effect.members] : [],
		roles: effect.is === 'approve' ? [...effect.roles] : []
	};
}
