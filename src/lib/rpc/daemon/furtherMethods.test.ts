import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayBeFurther } from './furtherMethods.ts';
import { daemonMethods } from './index.ts';

const HELP = join(
	import.meta.dirname,
	'../../../../tests/contract/fixtures/recordings/daemon/help.json'
);

test.each([
	...['oracleslist', 'oraclesinfo', 'oraclesaddress', 'oraclessamples', 'channelslist'],
	...['channelsinfo', 'faucetinfo', 'faucetaddress', 'rewardslist', 'gatewaysinfo', 'heirlist'],
	...['priceslist', 'pricesgetorderbook', 'pegsinfo', 'getblockdeltas', 'getnetworkhistory'],
	'gatewayspending'
])('%s can be let pass as a read', (name) => {
	expect(mayBeFurther(name)).toBe(true);
});

test.each([
	...['dumpprivkey', 'z_exportkey', 'z_exportviewingkey', 'sendtoaddress', 'sendmany', 'stop'],
	...['importprivkey', 'importwallet', 'importaddress', 'walletpassphrase', 'walletlock'],
	...[
		'signmessage',
		'signrawtransaction',
		'encryptwallet',
		'backupwallet',
		'dumpwallet',
		'setpubkey'
	],
	...['z_getbalance', 'z_listaddresses', 'z_sendmany', 'getnewaddress', 'getaccountaddress'],
	...[
		'getrawchangeaddress',
		'listaccounts',
		'listunspent',
		'listreceivedbyaddress',
		'listlockunspent',
		'listaddressgroupings',
		'getalldata'
	],
	...['oraclescreate', 'oraclesdata', 'oraclesregister', 'oraclessubscribe', 'oraclesfund'],
	...['channelsopen', 'channelspayment', 'faucetfund', 'faucetget', 'rewardsunlock', 'tokenask'],
	...['kvupdate', 'addmultisigaddress', 'createmultisig', 'getblocktemplate', 'settxfee', 'move'],
	// Komodo daemon 0.9.0: `dicestatus` sends a transaction, `getbalance64` shows the contents of the wallet.
	...['dicestatus', 'getbalance64'],
	...['dicebet', 'heirclaim', 'gatewayswithdraw', 'pegsredeem', 'listkeys', 'getwalletinfo'],
	...['', 'DumpPrivKey', 'DUMPPRIVKEY', 'oracleslist ', 'oracles list', 'constructor', '__proto__'],
	...['hasownproperty', 'a'.repeat(80), 'oraclesList', 'oracleslist\n', 'ｏracleslist']
])('%j can never be let pass', (name) => {
	expect(mayBeFurther(name)).toBe(false);
});

test('of what a running daemon lists these can be let pass, none of which sends, signs or reads its wallet', () => {
	const { help } = JSON.parse(readFileSync(HELP, 'utf8')) as {
		help: { response: { result: string } };
	};
	const names = [...new Set(help.response.result.match(/^\w+/gm))];
	expect(names.length).toBeGreaterThan(200);
	expect(names.filter(mayBeFurther)).toEqual([
		...['cclibaddress', 'cclibinfo', 'getsnapshot', 'auctionaddress', 'channelsaddress'],
		...['channelsinfo', 'channelslist', 'geterablockheights', 'getiguanajson', 'diceaddress'],
		...['diceinfo', 'dicelist', 'faucetaddress', 'faucetinfo', 'gatewaysaddress'],
		...['gatewaysexternaladdress', 'gatewaysinfo', 'gatewayslist', 'gatewaysprocessed'],
		...['heiraddress', 'heirinfo', 'heirlist', 'lottoaddress', 'oraclesaddress', 'oraclesinfo'],
		...['oracleslist', 'oraclessamples', 'rewardsaddress', 'rewardsinfo', 'rewardslist'],
		...['assetsaddress', 'mytokenorders', 'tokenorders']
	]);
});

test('a method of the registry keeps its own class', () => {
	for (const method of Object.keys(daemonMethods)) expect(mayBeFurther(method), method).toBe(false);
});
