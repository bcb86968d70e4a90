/**
 * Converts the form that activates a coin to native parameters. Versions of the node differ in the defaults
 * of omitted parameters, so every parameter is sent. Pure.
 */
import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { parseDay } from '#lib/text/day.ts';
import type { Plain } from '../client/plain.ts';
import type { ElectrumServer } from '../egress/electrumServer.ts';
import type { ActivationMethod } from '../coins/methods.ts';
import { hasContracts, isShielded } from '../coins/methodsFor.ts';
import { contractFault } from './contract.ts';
import type { FormErrors, Offer, Typed } from './fields.ts';
import { FieldReader } from './fieldReader.ts';
import { bchd, connections, electrumServers, lightServers, linesOf } from './servers.ts';

export type FormRead =
	{ ok: true; params: { [name: string]: Plain } } | { ok: false; errors: FormErrors };

/** Maximum block height; no chain is as long. */
const MOST_HEIGHT = 999_999_999;

function mm2(reader: FieldReader): number {
	const text = reader.typed.mm2;
	if (text !== '0' && text !== '1') {
		reader.wrong('mm2', faults.needed.mm2(reader.offer.coin.ticker));
		return 0;
	}
	return Number(text);
}

/** Merging of outputs: all three numbers or none. */
function merge(reader: FieldReader): { [name: string]: Plain } {
	const { merge_at: at, check_every: every, max_merge_at_once: most } = reader.typed;
	if ([at, every, most].every((text) => text.trim() === '')) return {};
	const merge = {
		merge_at: reader.whole('merge_at', 2, 'needed') ?? 0,
		check_every: reader.whole('check_every', 1, 'needed') ?? 0,
		max_merge_at_once: reader.whole('max_merge_at_once', 2, 'needed') ?? 0
	};
	return { utxo_merge_params: merge };
}

function address(reader: FieldReader): { [name: string]: Plain } {
	const format = reader.typed.address_format;
	if (!['standard', 'segwit', 'cashaddress'].includes(format)) {
		reader.wrong('address_format', faults.notOffered.format);
		return {};
	}
	const own = reader.offer.coin.addressFormat;
	if (format === 'standard' && own === null) return {};
	const network = format === 'cashaddress' ? (own?.network ?? 'bitcoincash') : undefined;
	return { address_format: { format, ...(network === undefined ? {} : { network }) } };
}

/** Swap contracts of QTUM and its tokens. The trading node refuses a QRC20 token without the first one. */
function contracts(reader: FieldReader): { [name: string]: Plain } {
	if (!hasContracts(reader.offer.coin)) return {};
	const contract = (name: 'swap_contract_address' | 'fallback_swap_contract') => {
		const text = bareText(reader.typed[name]);
		if (text === '') {
			const isNeeded = name === 'swap_contract_address' && reader.offer.coin.protocol === 'QRC20';
			if (isNeeded) reader.wrong(name, faults.needed.contract);
			return {};
		}
		const fault = contractFault(text, reader.offer);
		if (fault !== null) reader.wrong(name, fault);
		return { [name]: text };
	};
	return { ...contract('swap_contract_address'), ...contract('fallback_swap_contract') };
}

function key(reader: FieldReader): { [name: string]: Plain } {
	switch (reader.typed.key) {
		case '':
		case 'node':
			return {};
		case 'hardware':
			return { priv_key_policy: { type: 'HardwareWallet' } };
		default:
			reader.wrong('key', faults.notOffered.key);
			return {};
	}
}

/** Where a shielded wallet starts to scan the chain; without `sync_params` the node decides. */
function syncStart(reader: FieldReader): { [name: string]: Plain } {
	const resumes = { skip_sync_params: reader.typed.skip_sync_params === 'yes' };
	switch (reader.typed.sync_from) {
		case '':
			return resumes;
		case 'earliest':
			return { ...resumes, sync_params: 'earliest' };
		case 'height': {
			const height = reader.whole('sync_height', 0, 'needed', MOST_HEIGHT) ?? 0;
			return { ...resumes, sync_params: { height } };
		}
		case 'date': {
			const ms = parseDay(bareText(reader.typed.sync_date));
			if (Number.isNaN(ms) || ms < 0) reader.wrong('sync_date', faults.date);
			return { ...resumes, sync_params: { date: ms / 1_000 } };
		}
		default:
			reader.wrong('sync_from', faults.notOffered.start);
			return {};
	}
}

/** Path of the proving keys on the node's disk, and how the wallet is scanned. */
function scan(reader: FieldReader): { [name: string]: Plain } {
	const path = reader.typed.zcash_params_path.trim();
	if (path !== '' && !reader.offer.mayName) {
		reader.wrong('zcash_params_path', faults.adminOnly.path);
	}
	return {
		...(path === '' ? {} : { zcash_params_path: path }),
		scan_blocks_per_iteration: reader.whole('scan_blocks_per_iteration', 1, 'needed') ?? 0,
		scan_interval_ms: reader.whole('scan_interval_ms', 0, 'needed') ?? 0,
		account: reader.whole('account', 0, 'needed') ?? 0
	};
}

function tokens(reader: FieldReader): { [name: string]: Plain } {
	const requests: Plain[] = [];
	for (const line of linesOf(reader.typed.slp_tokens)) {
		const match = /^(\S{1,64})(?:\s+(\d{1,6}))?$/.exec(line);
		if (!match) {
			reader.wrong('slp_tokens', faults.line.slpToken(line));
			continue;
		}
		requests.push({
			ticker: match[1]!,
			...(match[2] === undefined ? {} : { required_confirmations: Number(match[2]) })
		});
	}
	return { slp_tokens_requests: requests };
}

function confirmations(reader: FieldReader): { [name: string]: Plain } {
	return {
		required_confirmations: reader.whole('required_confirmations', 0, 'needed') ?? 0,
		requires_notarization: reader.typed.requires_notarization === 'yes'
	};
}

/** Reads only the servers of a form, for a connection test; other fields may still be invalid. */
export function chosenServers(
	typed: Typed,
	offer: Offer
): { servers: ElectrumServer[]; lightServers: string[]; errors: FormErrors } {
	const reader = new FieldReader(typed, offer);
	const servers = electrumServers(reader);
	const light = isShielded(offer.method) ? lightServers(reader) : [];
	return { servers, lightServers: light, errors: reader.errors };
}

/** Reads a form. All errors are returned together, each at its field. */
export function readForm(typed: Typed, offer: Offer): FormRead {
	const reader = new FieldReader(typed, offer);
	const { ticker } = offer.coin;
	const params = paramsOf(reader, ticker, offer.method);
	return Object.keys(reader.errors).length === 0
		? { ok: true, params }
		: { ok: false, errors: reader.errors };
}

function paramsOf(
	reader: FieldReader,
	ticker: string,
	method: ActivationMethod
): { [name: string]: Plain } {
	if (method === 'enable') {
		return {
			coin: ticker,
			mm2: mm2(reader),
			...confirmations(reader),
			...contracts(reader),
			...reader.flags('tx_history')
		};
	}
	if (method === 'task::init_trezor') return {};
	const servers = electrumServers(reader);
	const limits = connections(reader, servers);
	const list = servers as unknown as Plain;
	if (method === 'electrum') {
		return {
			coin: ticker,
			servers: list,
			...limits,
			mm2: mm2(reader),
			...confirmations(reader),
			...reader.flags('tx_history', 'check_utxo_maturity'),
			...merge(reader),
			...address(reader),
			...contracts(reader)
		};
	}
	if (isShielded(method)) {
		const data = { electrum_servers: list, light_wallet_d_servers: lightServers(reader) };
		return {
			ticker,
			activation_params: {
				mode: { rpc: 'Light', rpc_data: { ...data, ...limits, ...syncStart(reader) } },
				...confirmations(reader),
				...scan(reader)
			}
		};
	}
	return {
		ticker,
		activation_params: {
			mode: { rpc: 'Electrum', rpc_data: { servers: list, ...limits } },
			...confirmations(reader),
			...reader.flags('tx_history', 'check_utxo_maturity'),
			...merge(reader),
			...address(reader),
			...key(reader),
			...(method === 'task::enable_bch'
				? { ...bchd(reader), ...tokens(reader), ...reader.flags('get_balances') }
				: {})
		}
	};
}
