import { expect, test } from 'vitest';
import { mayBeFurther } from './furtherMethods.ts';
import { daemonMethods } from './index.ts';

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
	...['dicebet', 'heirclaim', 'gatewayswithdraw', 'pegsredeem', 'listkeys', 'getwalletinfo'],
	...['', 'DumpPrivKey', 'DUMPPRIVKEY', 'oracleslist ', 'oracles list', 'constructor', '__proto__'],
	...['hasownproperty', 'a'.repeat(80), 'oraclesList', 'oracleslist\n', 'ｏracleslist']
])('%j can never be let pass', (name) => {
	expect(mayBeFurther(name)).toBe(false);
});

test('a method of the registry keeps its own class', () => {
	for (const method of Object.keys(daemonMethods)) expect(mayBeFurther(method), method).toBe(false);
});
