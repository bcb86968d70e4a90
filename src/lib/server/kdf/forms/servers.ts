/** Reads the servers that a form chooses or names. Pure. */
import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Plain } from '../client/plain.ts';
import { ELECTRUM_PROTOCOLS, type ElectrumServer } from '../egress/electrumServer.ts';
import { readTarget, readUrl, targetText } from '../egress/target.ts';
import { serverKey } from './fields.ts';
import type { FieldReader } from './fieldReader.ts';

const MOST_SERVERS = 64;

/** Splits what was typed at line breaks and commas; empty parts are dropped. */
export const linesOf = (text: string): string[] =>
	text.split(/[\n,]/).map(bareText).filter(Boolean);

/** Returns the chosen and the entered servers, each once. */
export function electrumServers(reader: FieldReader): ElectrumServer[] {
	const { server, free_servers: named } = reader.typed;
	const known = new Map(reader.offer.servers.map((one) => [serverKey(one), one]));
	const chosen = [...new Set(server)].flatMap((key) => known.get(key) ?? []);
	if (chosen.length < new Set(server).size) {
		reader.wrong('server', faults.notOffered.server);
	}
	const lines = linesOf(named);
	if (lines.length > 0 && !reader.offer.mayName) {
		reader.wrong('free_servers', faults.adminOnly.servers);
		return chosen;
	}
	for (const line of lines) {
		const [address = '', protocolText = 'TCP', ...rest] = line.split(/\s+/);
		const protocol = ELECTRUM_PROTOCOLS.find((one) => one === protocolText.toUpperCase());
		if (protocol === undefined || rest.length > 0) {
			reader.wrong(
				'free_servers',
				faults.line.server(line, reader.offer.sockets ? ['TCP', 'SSL', 'WSS'] : ['TCP', 'SSL'])
			);
			continue;
		}
		if (protocol === 'WS' || (protocol === 'WSS' && !reader.offer.sockets)) {
			reader.wrong('free_servers', faults.line.webSocket(line));
			continue;
		}
		try {
			const one = { url: targetText(readTarget(address)), protocol };
			if (!chosen.some((other) => serverKey(other) === serverKey(one))) chosen.push(one);
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			reader.wrong('free_servers', faults.line.address(line, error.message));
		}
	}
	const wrong = reader.errors.free_servers ?? reader.errors.server;
	if (chosen.length === 0 && wrong === undefined) {
		reader.wrong('server', faults.needed.server(reader.offer.coin.ticker));
	}
	if (chosen.length > MOST_SERVERS) reader.wrong('server', faults.most.servers(MOST_SERVERS));
	return chosen;
}

/** Checks the URLs of servers that were entered, one per line. */
function namedUrls(
	reader: FieldReader,
	field: 'free_bchd_urls' | 'free_light_servers',
	lines: readonly string[]
): readonly string[] {
	for (const line of lines) {
		try {
			readUrl(line, ['https', 'http']);
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			reader.wrong(field, faults.line.address(line, error.message));
		}
	}
	return lines;
}

/** Reads the number of connections, checked against each other and against the number of servers. */
export function connections(
	reader: FieldReader,
	servers: readonly ElectrumServer[]
): {
	min_connected: number;
	max_connected: number;
} {
	const most = servers.length;
	const text = bareText(reader.typed.min_connected);
	if (text !== '' && Number(text) === 0) {
		reader.wrong('min_connected', faults.connections.none);
	}
	const min = reader.whole('min_connected', 1, 'may be empty') ?? 1;
	const max = reader.whole('max_connected', 1, 'may be empty') ?? Math.max(most, 1);
	if (reader.errors.min_connected === undefined && reader.errors.max_connected === undefined) {
		if (min > max && reader.typed.max_connected.trim() !== '') {
			reader.wrong('min_connected', faults.connections.contradict(min, max));
		} else if (min > most && most > 0) {
			reader.wrong('min_connected', faults.connections.tooFew(most, min));
		}
	}
	return { min_connected: min, max_connected: max };
}

/** Reads the gRPC servers that check SLP tokens. */
export function bchd(reader: FieldReader): { [name: string]: Plain } {
	const { bchd_url: chosen, free_bchd_urls: named, allow_slp_unsafe_conf: unsafe } = reader.typed;
	const known = chosen.filter((url) => reader.offer.coin.bchdUrls.includes(url));
	const lines = linesOf(named);
	if (lines.length > 0 && !reader.offer.mayName) {
		reader.wrong('free_bchd_urls', faults.adminOnly.servers);
	}
	const urls = [...new Set([...known, ...namedUrls(reader, 'free_bchd_urls', lines)])];
	if (urls.length === 0 && unsafe !== 'yes') {
		reader.wrong('allow_slp_unsafe_conf', faults.needed.bchd);
	}
	return { bchd_urls: urls, allow_slp_unsafe_conf: unsafe === 'yes' };
}

/** Returns the chosen and the entered lightwalletd servers, each once. */
export function lightServers(reader: FieldReader): string[] {
	const { light_server: chosen, free_light_servers: named } = reader.typed;
	const { coin, mayName } = reader.offer;
	const known = [...new Set(chosen)].filter((url) => coin.lightServers.includes(url));
	if (known.length < new Set(chosen).size) {
		reader.wrong('light_server', faults.notOffered.server);
	}
	const lines = linesOf(named);
	if (lines.length > 0 && !mayName) {
		reader.wrong('free_light_servers', faults.adminOnly.servers);
		return known;
	}
	const urls = [...new Set([...known, ...namedUrls(reader, 'free_light_servers', lines)])];
	const wrong = reader.errors.free_light_servers ?? reader.errors.light_server;
	if (urls.length === 0 && wrong === undefined) {
		reader.wrong('light_server', faults.needed.lightServer(coin.ticker));
	}
	if (urls.length > MOST_SERVERS) {
		reader.wrong('light_server', faults.most.servers(MOST_SERVERS));
	}
	return urls;
}
