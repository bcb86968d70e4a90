import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createCoins } from './coins.ts';
import { readCoins, readServers } from './parse.ts';
import { coinsLike } from './search.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-coins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KMD = {
	coin: 'KMD',
	name: 'komodo',
	fname: 'Komodo',
	mm2: 1,
	pubtype: 60,
	sign_message_prefix: 'Komodo Signed Message:\n',
	required_confirmations: 2,
	requires_notarization: true,
	protocol: { type: 'UTXO', chain_variant: 'later' },
	derivation_path: "m/44'/141'",
	a_member_of_a_later_version: { deep: [1] }
};

it('reads the known members and leaves unknown ones alone', () => {
	const { coins, problems } = readCoins([KMD]);
	expect(problems).toEqual([]);
	expect(coins[0]).toMatchObject({
		ticker: 'KMD',
		name: 'Komodo',
		protocol: 'UTXO',
		mm2: 1,
		requiredConfirmations: 2,
		requiresNotarization: true,
		derivationPath: "m/44'/141'",
		signMessagePrefix: 'Komodo Signed Message:\n',
		daemonName: 'komodo',
		servers: []
	});
});

it('reads of mm2, of which the node reads only that it is there, whether it is 0', () => {
	const { coins } = readCoins([0, 1, 2].map((mm2) => ({ ...KMD, coin: `KMD${mm2}`, mm2 })));
	expect(coins.map(({ mm2 }) => mm2)).toEqual([0, 1, 1]);
});

it('reads servers that an entry names twice once', () => {
	const { coins } = readCoins([
		{
			coin: 'ETH',
			protocol: { type: 'ETH' },
			nodes: [
				{ url: 'https://eth.example' },
				{ url: 'https://eth.example', ws_url: 'wss://eth.example' },
				{ url: 'https://other.example' }
			],
			bchd_urls: ['https://bchd.example', 'https://bchd.example']
		}
	]);
	expect(coins[0]!.nodes.map(({ url }) => url)).toEqual([
		'https://eth.example',
		'https://other.example'
	]);
	expect(coins[0]!.bchdUrls).toEqual(['https://bchd.example']);
});

it('gives up one bad entry, says which, and keeps the others', () => {
	const { coins, problems } = readCoins([
		KMD,
		{ ...KMD, coin: 'BAD', required_confirmations: 'two' },
		{ name: 'nameless' },
		'text',
		{ coin: '../../etc/passwd', protocol: { type: 'UTXO' } },
		{ coin: 'KMD', fname: 'A second one' },
		{ coin: 'OLD' }
	]);
	expect(coins.map(({ ticker }) => ticker)).toEqual(['KMD', 'OLD']);
	expect(coins[0]!.name).toBe('Komodo');
	expect(coins[1]).toMatchObject({ protocol: null, mm2: null });
	expect(problems).toEqual([
		'BAD: "required_confirmations" is not of the known form.',
		'Entry 3: has no ticker.',
		'Entry 4: is no object.',
		'Entry 5: has a ticker with characters that none has.'
	]);
	expect(readCoins('text').problems).toHaveLength(1);
});

it('reads the joined form with its servers, those for WebSockets apart', () => {
	const { coins } = readCoins({
		KMD: {
			...KMD,
			electrum: [
				{ url: 'a.example:10001' },
				{ url: 'a.example:20001', protocol: 'SSL', ws_url: 'a.example:30001', contact: [{}] },
				{ url: 'a.example:30001', protocol: 'WSS' },
				{ url: 'a.example:10001', protocol: 'TCP' }
			]
		}
	});
	expect(coins[0]!.servers).toEqual([
		{ url: 'a.example:10001', protocol: 'TCP' },
		{ url: 'a.example:20001', protocol: 'SSL' }
	]);
	expect(coins[0]!.socketServers).toEqual([{ url: 'a.example:30001', protocol: 'WSS' }]);
	expect(readServers({ url: 'x' }, 'list').problems).toEqual(['list is not a list.']);
	expect(
		readServers([{ url: 'http://a:1' }, { protocol: 'TCP' }, { url: 'a:1', protocol: 'tcp' }], 'L')
			.problems
	).toEqual([
		'L: server 1 has no address of the form host:port.',
		'L: server 2 is not of the known form.',
		'L: server 3 is not of the known form.'
	]);
});

it('reads the lightwalletd servers of a shielded coin, each once, and leaves out what is no address', () => {
	const url = 'https://lightd1.example:443';
	const { coins, problems } = readCoins({
		ARRR: {
			coin: 'ARRR',
			protocol: { type: 'ZHTLC', protocol_data: {} },
			light_wallet_d_servers: [url, 'lightd2.example:443', url, { url }]
		}
	});
	expect(coins[0]!.lightServers).toEqual([url]);
	expect(problems).toEqual([
		'ARRR: lightwalletd server 2 has no usable address.',
		'ARRR: lightwalletd server 4 has no usable address.'
	]);
});

it('reads the file and the lists beside it, and says what is wrong with them', async () => {
	mkdirSync(join(folder, 'electrums'));
	writeFileSync(
		join(folder, 'coins'),
		JSON.stringify([KMD, { coin: 'LTC' }, { coin: 'LTC-segwit' }, { coin: 'DOC' }])
	);
	writeFileSync(join(folder, 'electrums/KMD'), '[{"url":"127.0.0.1:1"}]');
	writeFileSync(join(folder, 'electrums/LTC'), '[{"url":"l.example:2","protocol":"SSL"}]');
	writeFileSync(join(folder, 'electrums/DOC'), 'not json');
	const coins = createCoins(join(folder, 'coins'));
	expect((await coins.find('KMD'))?.servers).toEqual([{ url: '127.0.0.1:1', protocol: 'TCP' }]);
	expect((await coins.find('LTC-segwit'))?.servers).toHaveLength(1);
	expect(await coins.find('kmd')).toBeUndefined();
	expect((await coins.catalog()).problems).toEqual([
		`${join(folder, 'electrums/DOC')} is not JSON.`
	]);
	expect((await createCoins(join(folder, 'missing')).catalog()).problems).toEqual([
		`${join(folder, 'missing')} cannot be read.`
	]);
	expect(await createCoins(null).catalog()).toEqual({ coins: [], problems: [] });
});

it('reads lists that are links, and those that were written in place again', async () => {
	const mounted = mkdtempSync(join(tmpdir(), 'komodeck-mounted-'));
	vi.useFakeTimers({ toFake: ['performance'] });
	try {
		const data = join(mounted, '..data');
		mkdirSync(data);
		mkdirSync(join(mounted, 'electrums'));
		const list = join(data, 'KMD');
		writeFileSync(join(mounted, 'coins'), JSON.stringify([KMD]));
		writeFileSync(list, JSON.stringify([{ url: 'kmd.example:10001' }]));
		symlinkSync(list, join(mounted, 'electrums', 'KMD'));
		symlinkSync(join(data, 'nothing'), join(mounted, 'electrums', 'LTC'));
		const coins = createCoins(join(mounted, 'coins'));
		const urls = async () => (await coins.find('KMD'))?.servers.map(({ url }) => url);
		expect(await urls()).toEqual(['kmd.example:10001']);
		writeFileSync(list, JSON.stringify([{ url: 'other.example:10001' }]));
		vi.advanceTimersByTime(2_000);
		expect(await urls()).toEqual(['other.example:10001']);
		expect((await coins.catalog()).problems).toEqual([]);
	} finally {
		vi.useRealTimers();
		rmSync(mounted, { recursive: true, force: true });
	}
});

it('finds coins by ticker first, then by name', () => {
	const { coins } = readCoins([
		{ coin: 'XKMD', fname: 'Wrapped' },
		{ coin: 'RICK', fname: 'Komodo test coin' },
		KMD,
		{ coin: 'KMD-BEP20', fname: 'Komodo (BEP20)' }
	]);
	const tickers = (text: string): string[] => coinsLike(coins, text).map(({ ticker }) => ticker);
	expect(tickers('kmd')).toEqual(['KMD', 'KMD-BEP20', 'XKMD']);
	expect(tickers('komodo test')).toEqual(['RICK']);
	expect(tickers('')).toHaveLength(4);
	expect(tickers('nothing')).toEqual([]);
});
