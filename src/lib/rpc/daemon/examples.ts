/**
 * An example call of each method that may be called: parameters and, if available, the result, as JSON texts
 * to preserve the digits of amounts. Results are recorded from release 0.9.0 or taken from the public
 * documentation.
 */
import type { DaemonMethod } from './index.ts';

interface MethodExample {
	/** JSON array of the parameters. */
	params: string;
	/** The result; absent when there is no short recording. */
	result?: string;
}

export const methodExamples: Readonly<Partial<Record<DaemonMethod, MethodExample>>> = {
	tokenaddress: {
		params: '["022fbf9932448354e5df2e36b4485460068b9d0ad0b09a9eea9cd0928198e2c9c7"]',
		result:
			'{"result":"success","TokensCCAddress":"RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2","TokensCCBalance":0.00000000,"TokensNormalAddress":"RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad","TokensNormalBalance":0.00000000,"PubkeyCCaddress(Tokens)":"RH1svUvKJ2Hcfd2zrZpyBHRwx7tFNk2Sxp","PubkeyCCbalance(Tokens)":0.00000000,"myCCAddress(Tokens)":"RQ4P3bq51oBsXcvExMDrsjuFqDkuUTyos1","myCCbalance(Tokens)":0.00000000,"myaddress":"RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM","mybalance":1000010.06390121}'
	},
	tokenbalance: {
		params:
			'["14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710","022fbf9932448354e5df2e36b4485460068b9d0ad0b09a9eea9cd0928198e2c9c7"]'
	},
	tokencreate: {
		params: '["TOK","0.00000100","creating a TOK token"]',
		result:
			'{"result":"success","hex":"0400008085202f8901065bc4522b82396e01b03ecf30abe9b7599621d861ad844818c87ac691005e18000000004847304402201f162ee2f8dac7382ff871d2aa7eb304d315eeb352c3d3464c36af8c9453273c0220074ae39178df09c13836ef1f8b647ffe3db4e7e1b428cc734a05e53707541db801ffffffff041027000000000000302ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc6400000000000000302ea22c80205dcc33b0b3f0573b306ab85ffa9ce8622fbcb81cb6ad8ec00f366935bbf500f78103120c008203000401cc7c950b5402000000232102d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567ac00000000000000003f6a3df2632102d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b4756703544f4b146372656174696e67206120544f4b20746f6b656e00000000370100000000000000000000000000"}'
	},
	tokeninfo: {
		params: '["235824c103894bd1c775ceb5f5bedd5163ddc2b7da208e8b4640ff95ce1a0ca7"]',
		result:
			'{"result":"success","tokenid":"235824c103894bd1c775ceb5f5bedd5163ddc2b7da208e8b4640ff95ce1a0ca7","owner":"03ae957b0d4ffa1158b2e251a251272d4352bc940a8e8b5124f97ea42c3cc07985","name":"T1.15","supply":114999999,"description":"d"}'
	},
	tokenlist: {
		params: '[]',
		result:
			'["14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710","fa65c87486ec0a2a43450ca9773a769868e776cb3d186eb39641f1bbcf6df655"]'
	},
	tokentransfer: {
		params:
			'["14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710","022fbf9932448354e5df2e36b4485460068b9d0ad0b09a9eea9cd0928198e2c9c7","10"]'
	},
	migrate_createburntransaction: {
		params: '["DSTTEST","RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM","12.5"]',
		result:
			'{"payouts":"01807c814a000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac","BurnTxHex":"01000000017cf594f1c4603a7e6dde1d8456c18e19aee79ed15b351694ac4de44245b96b19000000004847304402203343ee16c1c7355954aeae0d12ee900b2512aa408d908ae888116e9794ef68eb022061e551cbc41ec6b7141689b4274e2ba93a20dbc3a4303f0539cbcbe838c56e0601ffffffff02d91d5ac6f25a0000232102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3bac90a3814a00000000366a34e285090744535454455354db3b8f0b1934167810206b132a0eb20a677e24f20705c2b8ed6f7a3d366c11c208075352435445535400000000"}'
	},
	migrate_converttoexport: {
		params:
			'["010000000001401b5f13000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac00000000","DSTTEST"]',
		result:
			'{"payouts":"01401b5f13000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac","exportTx":"01000000000150425f1300000000366a34e285090744535454455354ec59cc497da793bef650816d2d03e684c8406618aa013aed125343eec931e56e08075352435445535400000000"}'
	},
	migrate_createimporttransaction: {
		params:
			'["01000000017cf594f1c4603a7e6dde1d8456c18e19aee79ed15b351694ac4de44245b96b19000000004847304402203343ee16c1c7355954aeae0d12ee900b2512aa408d908ae888116e9794ef68eb022061e551cbc41ec6b7141689b4274e2ba93a20dbc3a4303f0539cbcbe838c56e0601ffffffff02d91d5ac6f25a0000232102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3bac90a3814a00000000366a34e285090744535454455354db3b8f0b1934167810206b132a0eb20a677e24f20705c2b8ed6f7a3d366c11c208075352435445535400000000","01807c814a000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac","c1d472747506135880318a4375700660b3163827a1ed487f388a74ce68fad21d"]',
		result:
			'{"ImportTxHex":"0400008085202f8901f8d2d15de967be5c2c83d348eea46c430386352c23da4c7fac4d52d8245b45e500ca9a3b0201e2ffffffff02807c814a000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac0000000000000000fd0d016a4d0901e212011dd2fa68ce748a387f48eda1273816b360067075438a3180581306757472d4c101000000017cf594f1c4603a7e6dde1d8456c18e19aee79ed15b351694ac4de44245b96b19000000004847304402203343ee16c1c7355954aeae0d12ee900b2512aa408d908ae888116e9794ef68eb022061e551cbc41ec6b7141689b4274e2ba93a20dbc3a4303f0539cbcbe838c56e0601ffffffff02d91d5ac6f25a0000232102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3bac90a3814a00000000366a34e285090744535454455354db3b8f0b1934167810206b132a0eb20a677e24f20705c2b8ed6f7a3d366c11c20807535243544553540000000000000000000000000000000000000000000000"}'
	},
	migrate_completeimporttransaction: {
		params:
			'["0400008085202f89010a32c0f048ef22627c003ae1fd54207190ebc8a9806aa2c25d59461a6c664aa800ca9a3b0201e2ffffffff02bfc2da06000000001976a9141137ee451088f3c8941d1006dbd35224d0abc32688ac0000000000000000fdf6016a4df201e211c4275b18e5e16db1265f340cedeb9f0242e94a6608cd16a98c36dc98f1ca148303033c96e04e5cdc96148be3a73be39da390d20ff65cb0f703ccfabb6fa358aefb1fc9eb0f33486a2ee99c24b47f76a95727c717785acba0da8477e2562e66dfca7e23cd60ef4d6b2f6f79af3667acc41d2466d98188894dc452eab21a6a222134150400008085202f8902694938eff0062bc660328779b9550e223247a0ee9753a3541bf41ce391336adc0000000049483045022100b62c7442e875b4e6e45f49221a203196e6949b1a118140ea6fa51f2792bbb81402201dd8f95d136d8ebad2140a436673b883bf35dae5f7b753c3878ba3961654a9a201ffffffff2fb1900c164798f39f533f9bbcf8fa3b747e1962461b09c44d9bc77bb566af2e0000000049483045022100dbe681acf5b17597529aef26fe4a5d8fe4fd97cdb26107ac4f37ead020ad259802201aead8f9ac55e12025736c6e4cba34bd64b57ae14ca3b8053b4e764de1a1eb1a01ffffffff0241ff100500000000232103ae957b0d4ffa1158b2e251a251272d4352bc940a8e8b5124f97ea42c3cc07985accfe9da0600000000386a36e2850908545853434c44535476da214df5d9a0c3d4fad39436a5e8dac7226a6410f0de71f5141a89b3a925b00908545853434c53524300000000da000000000000000000000000000000000000000000000000000000000000000000",7]',
		result:
			'{"ImportTxHex":"0400008085202f89010a32c0f048ef22627c003ae1fd54207190ebc8a9806aa2c25d59461a6c664aa800ca9a3b0201e2ffffffff02bfc2da06000000001976a9141137ee451088f3c8941d1006dbd35224d0abc32688ac0000000000000000fd56026a4d5202e2111b36dabe704f7fd8d14bd897e4c46d7688d35771ef4b3925e80c2efe26efb2970b063c96e04e5cdc96148be3a73be39da390d20ff65cb0f703ccfabb6fa358aefb1fc9eb0f33486a2ee99c24b47f76a95727c717785acba0da8477e2562e66dfca7e23cd60ef4d6b2f6f79af3667acc41d2466d98188894dc452eab21a6a222134151bc32a4da5fec39984289426b3637f0d22d31f0e5cac097524456f0b49f777f5b34b3cafe487a53152a4d1a9e344032ac12a6ea2b7b9898aead1506585ea6d4c8654a571427dfca4b8447460c6b396d86ab1abf5d34d8590955b36d962467be60400008085202f8902694938eff0062bc660328779b9550e223247a0ee9753a3541bf41ce391336adc0000000049483045022100b62c7442e875b4e6e45f49221a203196e6949b1a118140ea6fa51f2792bbb81402201dd8f95d136d8ebad2140a436673b883bf35dae5f7b753c3878ba3961654a9a201ffffffff2fb1900c164798f39f533f9bbcf8fa3b747e1962461b09c44d9bc77bb566af2e0000000049483045022100dbe681acf5b17597529aef26fe4a5d8fe4fd97cdb26107ac4f37ead020ad259802201aead8f9ac55e12025736c6e4cba34bd64b57ae14ca3b8053b4e764de1a1eb1a01ffffffff0241ff100500000000232103ae957b0d4ffa1158b2e251a251272d4352bc940a8e8b5124f97ea42c3cc07985accfe9da0600000000386a36e2850908545853434c44535476da214df5d9a0c3d4fad39436a5e8dac7226a6410f0de71f5141a89b3a925b00908545853434c53524300000000da000000000000000000000000000000000000000000000000000000000000000000"}'
	},
	migrate_checkburntransactionsource: {
		params: '["2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd"]',
		result:
			'{"SourceSymbol":"MOMSRC","TargetSymbol":"MOMDST","TargetCCid":"778","TxOutProof":"04000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c0105","result":"success"}'
	},
	migrate_createnotaryapprovaltransaction: {
		params:
			'["2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd","04000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c0105"]',
		result:
			'{"NotaryTxHex":"0400008085202f890193ad93be818341c72f1fb12e78df15810eec0655b1ce85c1f752e57120c2108d0000000049483045022100d6a5ca89e83a6b615d327e45b6cf7f62de84ee1de625d7b6797eff18ea9f217e02205a7eaae0fa5bb0a8ed77645cc174be9523e95a620d160ca9cae215fc5c7c3b0501ffffffff03102700000000000023210251f88200728d592e85123ff50e3146949a886d8bbfaec3b748212063e36a60a2acf0b9f5050000000023210251f88200728d592e85123ff50e3146949a886d8bbfaec3b748212063e36a60a2ac0000000000000000fc6a4cf9f804000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c010500000000ed0000000000000000000000000000"}'
	},
	selfimport: { params: '["RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM","10"]' },
	getimports: { params: '["38"]', result: '{"imports":[],"TotalImported":0,"time":1795233699}' },
	getwalletburntransactions: {
		params: '["1"]',
		result:
			'[{"txid":"a84a666c1a46595dc2a26a80a9c8eb90712054fde13a007c6222ef48f0c0320a","burnedAmount":1.15009999,"targetSymbol":"TXSCLDST","targetCCid":"777"}]'
	},
	calc_MoM: {
		params: '["92","3"]',
		result:
			'{"coin":"KMD","height":92,"MoMdepth":3,"MoM":"acdc87f62be63ef67f5249217257b02515ac615384c6def436cd39378e960e4b"}'
	},
	MoMoMdata: {
		params: '["TXSCLDST","99","1"]',
		result:
			'{"coin":"TXSCLDST","kmdheight":94,"ccid":1,"MoMs":[],"notarization_hash":"0000000000000000000000000000000000000000000000000000000000000000","MoMoM":"0000000000000000000000000000000000000000000000000000000000000000","data":"000000000000000000000000000000000000000000000000000000000000000000000000"}'
	},
	getNotarisationsForBlock: { params: '[5]', result: '{"KMD":[],"LABS":[]}' },
	scanNotarisationsDB: {
		params: '["0","TXSCLSRC","1440"]',
		result:
			'{"height":93,"hash":"8314caf198dc368ca916cd08664ae942029febed0c345f26b16de1e5185b27c4","opreturn":"19c7a3721715832e04f263a06792a3ad698b5261cec00bfd3d5009ba8d912e0713000000545853434c53524300234bab710826a093bb599bf5baa4310a23e17ce7fa7d5542f16afe744a2e0c1104000903"}'
	},
	height_MoM: {
		params: '["18"]',
		result:
			'{"coin":"TXSCLSRC","height":18,"timestamp":0,"depth":4,"notarized_height":19,"MoM":"110c2e4a74fe6af142557dfae77ce1230a31a4baf59b59bb93a0260871ab4b23","kmdtxid":"8314caf198dc368ca916cd08664ae942029febed0c345f26b16de1e5185b27c4","MoMoM":"0000000000000000000000000000000000000000000000000000000000000000","MoMoMoffset":0,"MoMoMdepth":0,"kmdstarti":0,"kmdendi":0}'
	},
	assetchainproof: {
		params: '["174b1dcee41b4ac5ca05b5dc66d43e35c98723f49757ade0722161d3229f7f67"]',
		result:
			'"64d5e00f7a776447739939162d017772bcb55f4720863540980de6ca7ce251bb0505fc1c7fa6aad49b216be344da13de8537f0c1c662c633cf195cbbf183d26587bff40f9338eadc411ed65ee0d2e91da0f727a0e085c2da7ea1b94bdc0699dd3849ebf1ad72492690f1fc236afecc4b11fac99b58e1fc41d51f682b1826d653ede70f33624405ee6150d997482567791bd93732f83f450c6d30a7c9735961c40c7497664d9824851eab1623d8a66b6d39d96ef192c3d5fc4252e179e2a2f0f21236"'
	},
	crosschainproof: { params: '[]', result: '{}' },
	notaries: { params: '["-1"]' },
	getrawtransaction: {
		params: '["14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710"]',
		result:
			'"0100000001281d1d4f36bc87505497225294cefe71b76ba642d484a502302bc9d77ee7645e0000000049483045022100c4e340e7de149558f4f7446c613df2ff14db6b084e4f69108c6ffddb1199f82102203bd7482844cde6120655a9cf8fecba050a8c5c023e7154636fb00d0d48d5137b01ffffffff041027000000000000302ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cce803000000000000302ea22c802006805694314cc03385a2e89804ec38c0496fae4aeb382905e3a4ee00a9f198de8103120c008203000401ccf88ef50500000000232102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3bac0000000000000000426a40f2632102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b064c4142544f4b14412066756e6769626c65206c616220746f6b656e00000000"'
	},
	decoderawtransaction: {
		params:
			'["010000000001401b5f13000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac00000000"]',
		result:
			'{"txid":"44b6e99418e0f6f4387c0184928dc97743109541eb547b7b249129a870c1411e","overwintered":false,"version":1,"locktime":0,"vin":[],"vout":[{"value":3.25000000,"valueZat":325000000,"n":0,"scriptPubKey":{"asm":"OP_DUP OP_HASH160 fa966c95cae9f786bb93ec7aacc45685b1620e1e OP_EQUALVERIFY OP_CHECKSIG","hex":"76a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac","reqSigs":1,"type":"pubkeyhash","addresses":["RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM"]}}],"vjoinsplit":[]}'
	},
	sendrawtransaction: {
		params:
			'["0400008085202f8901f5d7e8b6c47768576f954bc530e249cb692ca45be03b41c9df8a74d9d1a52a97000000006a47304402202d395c1cedd62a263e74fed0aa41e0de6194651ebb36b237ba3aaf5d2073aaab02206b784fc3bfebb113b6f6cacb2ee0ae2ecb3ab191d5f9b7326b54a3b5205f4c6e012103e151b6a94d36d348ab6351856fa6a9cc7a14157e7c86d2529fa5974e0a25152fffffffff01af9bda06000000001976a914ee009490ace12cc7096bc41823863c450892273d88ac00000000f00000000000000000000000000000"]',
		result: '"79c6258c51de722499d76b984809a27d2522e189b00dfdad0cd934f10127d777"'
	},
	createrawtransaction: {
		params: '[[],{"RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM":3.25}]',
		result:
			'"010000000001401b5f13000000001976a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac00000000"'
	},
	fundrawtransaction: {
		params:
			'["01000000000150425f1300000000366a34e285090744535454455354ec59cc497da793bef650816d2d03e684c8406618aa013aed125343eec931e56e08075352435445535400000000"]',
		result:
			'{"hex":"01000000047eb7210b1cab4b67a5f043722b53c6c5dab98ebfd007ccf892a84ee1623a29740000000000feffffffcea7e5264b67ff9391ffa1fba61e679776012d860c8914e48f028ce6a7b769900200000000feffffffa098a51cdc7d048e2628fa8bce0c12a2fae403a770d14b771133b0ce60073d9b0200000000feffffffe62587f40a7f1d396484135310349508c48678f1ad3c8c55af0bdeaeb62550cd0100000000feffffff029da3760400000000232102b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3bac50425f1300000000366a34e285090744535454455354ec59cc497da793bef650816d2d03e684c8406618aa013aed125343eec931e56e08075352435445535400000000","changepos":0,"fee":0.00005000}'
	},
	signrawtransaction: {
		params:
			'["0100000001958cb041d8369bbf6c2493accc4d949909a2c669cad883e232038d782eeb4fa40000000000ffffffff0140420f00000000001976a91456def632e67aa11c25ac16a0ee52893c2e5a2b6a88ac00000000"]',
		result:
			'{"hex":"0100000001958cb041d8369bbf6c2493accc4d949909a2c669cad883e232038d782eeb4fa4000000006a4730440220242c38740261799f9b6ccbde8f941e2567e86c84108c508d108d062ab9677b6e02206fea089b28c6d66d1c8f2343e1de7960dadafa3cf268c00f7dbe391cd8b9365f01210384c0db4f1eaa142a2745742b942f989375dbec32c55310a793225bb5c43cdc98ffffffff0140420f00000000001976a91456def632e67aa11c25ac16a0ee52893c2e5a2b6a88ac00000000","complete":true}'
	},
	decodescript: { params: '["76a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac"]' },
	decodeccopret: {
		params: '["6a2412782103d31479e789014a96ba6dd60d50210045aa8292fe693f293d44615929f04cf57a"]',
		result: '{"result":"success","OpRets":[{"eval_code":"0x12","function":"x"}]}'
	},
	gettxout: {
		params: '["d7f9b34ad3e86f48fce55dbec1f2925b8dcbd15199977fd75d224254db9ae80d",1]',
		result:
			'{"bestblock":"000000020cce6743086cbcb97e90c0ad2735118615dd22b393e10f67cb6f13c7","confirmations":1,"rawconfirmations":15,"value":13541.42222075,"scriptPubKey":{"asm":"OP_DUP OP_HASH160 4518e50fdb31bb5951cd570342325bde15408fa3 OP_EQUALVERIFY OP_CHECKSIG","hex":"76a9144518e50fdb31bb5951cd570342325bde15408fa388ac","reqSigs":1,"type":"pubkeyhash","addresses":["RFaYXUJUE7CziS73EE6gvaqFduVo9KWjXT"]},"version":4,"coinbase":false}'
	},
	gettxoutproof: {
		params: '[["2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd"]]',
		result:
			'"04000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c0105"'
	},
	verifytxoutproof: {
		params:
			'["04000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c0105"]',
		result: '["2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd"]'
	},
	getrawmempool: {
		params: '[true]',
		result:
			'{"14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710":{"size":357,"fee":0.00010000,"time":1795229330,"height":11,"startingpriority":0,"currentpriority":0,"depends":[]}}'
	},
	getmempoolinfo: { params: '[]', result: '{"size":0,"bytes":0,"usage":0}' },
	getspentinfo: {
		params:
			'[{"txid":"4479f2c05ba22adf2333db724f247a09effcc9edea8c079da0da05d3a0451064","index":0}]',
		result:
			'{"txid":"d2a7b19178ff6b4b1d54befc300879239969716322e4bcd2742162d86ef113c8","index":228,"height":994953}'
	},
	txnotarizedconfirmed: {
		params: '["972aa5d1d9748adfc9413be05ba42c69cb49e230c54b956f576877c4b6e8d7f5"]',
		result: '{"result":false}'
	},
	createmultisig: {
		params: '[2,["RJnVEQgucK1iwiRjfTZmreXkF49KgTErDn","RCVyjn9MQ8Tw6YRJnDcsx67kfsmfUgLdfw"]]',
		result:
			'{"address":"bNnKtDC6UuSt5kGJewCQ5b2BhzFK3HTQUV","redeemScript":"522103ae084021ff011b527c34914d2c40148080c09254dd3c7d1f31f32549b53ccd232103bee23783f726ba81b5977473b172497260d9c261b9ef9f5a9dd51c545c8db0ac52ae"}'
	},
	verifymessage: {
		params:
			'["RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92","H4Xg0bLZ9cSBmQ8VkXgAv1Cz0nS2rZ0bW4kN1n8pXb3jQ0q7rS1tU2vW3xY4zA5bC6dE7fG8hI9jK0lM1nO2pQ=","a message"]'
	},
	signmessage: { params: '["RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92","a message"]' },
	prioritisetransaction: {
		params: '["7dc902b280da27cf2dabe41ed6f4d04c828714f289435db193a49341005607eb",0.0,10000]',
		result: 'true'
	},
	estimatefee: { params: '[6]' },
	estimatepriority: { params: '[6]' },
	kvsearch: {
		params: '["examplekey"]',
		result:
			'{"coin":"MYCOIN","currentheight":566,"key":"examplekey","keylen":10,"owner":"1ff91604c6adb6ec550e7575fe9f1ca591704572e125f55bed03a21c242c31b7","height":561,"expiration":2001,"flags":0,"value":"examplevalue","valuesize":12}'
	},
	kvupdate: {
		params: '["examplekey","examplevalue","2","examplepassphrase"]',
		result:
			'{"coin":"MYCOIN","owner":"1ff91604c6adb6ec550e7575fe9f1ca591704572e125f55bed03a21c242c31b7","height":566,"expiration":2006,"flags":3,"key":"examplekey","keylen":10,"value":"examplevalue","valuesize":12,"fee":0.001,"txid":"9f44dc664882198b14e9a8c466d466efcdd070ccb6f57be8e2884aa11e7b2a30"}'
	},
	getblockcount: { params: '[]', result: '11' },
	getbestblockhash: {
		params: '[]',
		result: '"015954c5c79e783122fd8ed95f9cc9a6df65a07e703ae4f71eedaed38bb73459"'
	},
	getblockhash: {
		params: '[13]',
		result: '"06be5507d1120f00852725933e7801a149d6ecf7bd9dc598036f739f45d3453c"'
	},
	getblock: {
		params: '["120",0]',
		result:
			'"04000000285e37c2190d03bdc2395fcd05226bc25de50adf3f46363bc579e050efbfd1013163caf3ad654ee90412d51e6d77b559ae912397ae89df7c6d4fe1f7fbce81470000000000000000000000000000000000000000000000000000000000000000f2ce925b080f0f200b00ea624b040b9c73b7d68ecdf8caf81c513f9aa8679a3172b52b82c55400002403fc1abba5f415b1c422942835d46c7ba3e94665964da4c31e236c6cf9b3dfe6ffb65db10101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff0401780101ffffffff011027000000000000232103c0259e1a166e53f6ccf094ce37c0843d4a013622603bc301b4eb0f89c7cce823acf1ce925b"'
	},
	getblockheader: {
		params: '["015954c5c79e783122fd8ed95f9cc9a6df65a07e703ae4f71eedaed38bb73459",true]'
	},
	getblockhashes: {
		params: '[1531614698,1531614498]',
		result:
			'["01c555caa581783c94af1ec4fdd1237a37829fc8ccf9fd956f3df462495a8629","0debf03ff8fe2c09ccb7e8b3770121d71ef8c7fce267a04f9301cc50f594f9ac","01c92378d9fa66eb83d0bfcf601678792e0351f9b51483db1084347dabd78432"]'
	},
	getblockchaininfo: {
		params: '[]',
		result:
			'{"chain":"regtest","blocks":398,"headers":398,"bestblockhash":"0dd66ee1f151c38f73843378c08715ee3f4d3cf2888783e2846b81c057987084","difficulty":1.000023305960651,"verificationprogress":1,"chainwork":"0000000000000000000000000000000000000000000000000000000000001a7f","pruned":false,"size_on_disk":5058467629,"commitments":0,"valuePools":[{"id":"sprout","monitored":true,"chainValue":0,"chainValueZat":0}],"softforks":[{"id":"bip34","version":2,"enforce":{"status":false,"found":399,"required":750,"window":1000},"reject":{"status":false,"found":399,"required":950,"window":1000}}],"upgrades":{},"consensus":{"chaintip":"00000000","nextblock":"00000000"}}'
	},
	getchaintips: {
		params: '[]',
		result:
			'[{"height":11,"hash":"015954c5c79e783122fd8ed95f9cc9a6df65a07e703ae4f71eedaed38bb73459","branchlen":0,"status":"active"}]'
	},
	getchaintxstats: {
		params: '[]',
		result:
			'{"time":1552568020,"txcount":4576830,"window_final_block_hash":"037c7fb68fcdd27cb12bb16b6c4b3a88a4bd652b2c979c771836db97611a62f2","window_block_count":43200,"window_tx_count":286787,"window_interval":2604632,"txrate":0.1101065332837806}'
	},
	getdifficulty: { params: '[]', result: '1' },
	gettxoutsetinfo: {
		params: '[]',
		result:
			'{"height":459,"bestblock":"0a28e2fb630b282138bf23bb79f597b11acff6f57c8d9c1c10fa54770035c813","transactions":258,"txouts":261,"bytes_serialized":18051,"hash_serialized":"fdd2039fa21400be0928b26dfe534f543dc5090989bcbd97fdc81b30ce7dca3a","total_amount":10.16456229}'
	},
	coinsupply: {
		params: '[]',
		result:
			'{"result":"success","coin":"SRCTEST","height":11,"supply":1000010.06390121,"zfunds":0.00000000,"sprout":0.00000000,"total":1000010.06390121}'
	},
	verifychain: { params: '[]', result: 'true' },
	invalidateblock: {
		params: '["02f51fb2793b0728050c5e983ffed669594e0a2dda01dcb7a68d129fd87436e0"]',
		result: 'null'
	},
	reconsiderblock: {
		params: '["015954c5c79e783122fd8ed95f9cc9a6df65a07e703ae4f71eedaed38bb73459"]'
	},
	minerids: { params: '["1000"]' },
	getlastsegidstakes: { params: '[100]' },
	getaddressbalance: {
		params: '[{"addresses":["RArEZuvK8opi3dmgAYshemLnGge81ZiCrJ"]}]',
		result: '{"balance":114999999,"received":114999999}'
	},
	getaddressutxos: {
		params: '[{"addresses":["RArEZuvK8opi3dmgAYshemLnGge81ZiCrJ"]}]',
		result:
			'[{"address":"RArEZuvK8opi3dmgAYshemLnGge81ZiCrJ","txid":"972aa5d1d9748adfc9413be05ba42c69cb49e230c54b956f576877c4b6e8d7f5","outputIndex":0,"script":"76a9141137ee451088f3c8941d1006dbd35224d0abc32688ac","satoshis":114999999,"height":39}]'
	},
	getaddresstxids: {
		params: '[{"addresses":["RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb"]}]',
		result:
			'["39c61e8ea769ba1fc971cb7dadc531f25a2528d01a4244f379043248b6c51cc1","800e4331018d02458ff4f2a7722f0508b810f7fcf53bc1c5ac85aec4e5fa706b","2a3c3664851370ff762b47d735cc661e3dbce4cf36b6c1b74799f3b1c847bd52","275f8383d85c0873c91ebfea3917d4136c89f43526da053177922d6c036634af"]'
	},
	getaddressdeltas: {
		params: '[{"addresses":["RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb"]}]',
		result:
			'[{"satoshis":1011876229,"txid":"39c61e8ea769ba1fc971cb7dadc531f25a2528d01a4244f379043248b6c51cc1","index":0,"blockindex":0,"height":1,"address":"RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb"}]'
	},
	getaddressmempool: {
		params: '[{"addresses":["RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb"]}]',
		result:
			'[{"address":"RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb","txid":"55c9830c0b2efcbbbac4fb813ff0d85722c6d720a748459287b60ef96cdb6732","index":1,"satoshis":200000000,"timestamp":1536356143}]'
	},
	getbalance: { params: '["",6]', result: '10.09234883' },
	getunconfirmedbalance: { params: '[]', result: '10.05' },
	getreceivedbyaddress: { params: '["RJSDZjp7kjBNhHsbECDE1jwYNK7af41pZN",6]', result: '0' },
	getwalletinfo: {
		params: '[]',
		result:
			'{"walletversion":60000,"balance":1000010.06390121,"unconfirmed_balance":0.00000000,"immature_balance":0.00000000,"txcount":11,"keypoololdest":1795229050,"keypoolsize":101,"paytxfee":0.00000000,"seedfp":"066ee4bd6d2f898ff5289f8cc595395e66aefd5fd04d247181fe357a78cba26e"}'
	},
	listunspent: {
		params: '[0,9999999,["RArEZuvK8opi3dmgAYshemLnGge81ZiCrJ"]]',
		result:
			'[{"txid":"972aa5d1d9748adfc9413be05ba42c69cb49e230c54b956f576877c4b6e8d7f5","vout":0,"generated":false,"address":"RArEZuvK8opi3dmgAYshemLnGge81ZiCrJ","segid":27,"account":"","amount":1.14999999,"scriptPubKey":"76a9141137ee451088f3c8941d1006dbd35224d0abc32688ac","rawconfirmations":1,"confirmations":1,"spendable":true}]'
	},
	listtransactions: {
		params: '["*",5]',
		result:
			'[{"account":"","address":"RWydbVbnbindjDjFTeAtp9xeMrUNFQcQ2Z","category":"receive","amount":999995.73973624,"vout":2,"rawconfirmations":2,"confirmations":2,"blockhash":"091f4a1dd9ad544c8f9042c8b9d39f10f979377fbfee727cfc7b35fd57fc8f3e","blockindex":1,"blocktime":1795233697,"expiryheight":220,"txid":"b6a2054b6bc93470efa3725972f248338b3b678ad682fa80e590c7f09aaa3a34","walletconflicts":[],"time":1795233697,"timereceived":1795233697,"vjoinsplit":[],"size":379},{"account":"","address":"RWydbVbnbindjDjFTeAtp9xeMrUNFQcQ2Z","category":"send","amount":-999995.73973624,"vout":2,"fee":-0.00010000,"rawconfirmations":2,"confirmations":2,"blockhash":"091f4a1dd9ad544c8f9042c8b9d39f10f979377fbfee727cfc7b35fd57fc8f3e","blockindex":1,"blocktime":1795233697,"expiryheight":220,"txid":"b6a2054b6bc93470efa3725972f248338b3b678ad682fa80e590c7f09aaa3a34","walletconflicts":[],"time":1795233697,"timereceived":1795233697,"vjoinsplit":[],"size":379},{"account":"","category":"send","amount":0.00000000,"vout":1,"fee":-0.00010000,"rawconfirmations":2,"confirmations":2,"blockhash":"091f4a1dd9ad544c8f9042c8b9d39f10f979377fbfee727cfc7b35fd57fc8f3e","blockindex":1,"blocktime":1795233697,"expiryheight":220,"txid":"b6a2054b6bc93470efa3725972f248338b3b678ad682fa80e590c7f09aaa3a34","walletconflicts":[],"time":1795233697,"timereceived":1795233697,"vjoinsplit":[],"size":379},{"account":"","address":"RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA","category":"send","amount":-0.00010000,"vout":0,"fee":-0.00010000,"rawconfirmations":2,"confirmations":2,"blockhash":"091f4a1dd9ad544c8f9042c8b9d39f10f979377fbfee727cfc7b35fd57fc8f3e","blockindex":1,"blocktime":1795233697,"expiryheight":220,"txid":"b6a2054b6bc93470efa3725972f248338b3b678ad682fa80e590c7f09aaa3a34","walletconflicts":[],"time":1795233697,"timereceived":1795233697,"vjoinsplit":[],"size":379},{"account":"","address":"RWydbVbnbindjDjFTeAtp9xeMrUNFQcQ2Z","category":"generate","amount":1.00000000,"vout":0,"rawconfirmations":1,"generated":true,"confirmations":1,"blockhash":"046f3281409013ac88f8046c485cd9eab91703bdb4bbbe769fc441bc730929ee","blockindex":0,"blocktime":1795233697,"expiryheight":0,"txid":"6a8031b9ee38b43fc7c38d4b5b6a88ad31cc3f79e157ec90db7c4ab8d9ee7640","walletconflicts":[],"time":1795233697,"timereceived":1795233697,"vjoinsplit":[],"size":118}]'
	},
	listsinceblock: {
		params: '["029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327",6]',
		result:
			'{"transactions":[{"account":"","address":"RGmfyV6GLkNXTSM5XaxtpwPrw4R7iiHEa2","category":"receive","amount":0.000001,"vout":1,"rawconfirmations":46,"confirmations":46,"blockhash":"07eb80d845eae646a95351a47a1b54964610f3caf4d4ff53750d0de66fbfc525","blockindex":1,"blocktime":1552585479,"expiryheight":1268793,"txid":"34efdb82ec718dede04feccecdc44f119cb7263f11c56ec3d7bf6234c9d0e27a","walletconflicts":[],"time":1552585444,"timereceived":1552585444,"vjoinsplit":[],"size":254}],"lastblock":"01b4ce6c4659138de1a7a67e8dac354b5acc3a998145effedbfec7ef41a2cec6"}'
	},
	gettransaction: {
		params: '["79c6258c51de722499d76b984809a27d2522e189b00dfdad0cd934f10127d777"]',
		result:
			'{"amount":0.00000000,"fee":-0.00010000,"rawconfirmations":1,"confirmations":1,"blockhash":"085c9449847fb4b3f4080b7d2e12b0ecacc930a7a1b4b4ed7d1f402186c999aa","blockindex":1,"blocktime":1795233699,"expiryheight":240,"txid":"79c6258c51de722499d76b984809a27d2522e189b00dfdad0cd934f10127d777","walletconflicts":[],"time":1795233699,"timereceived":1795233699,"vjoinsplit":[],"details":[{"account":"","address":"RWydbVbnbindjDjFTeAtp9xeMrUNFQcQ2Z","category":"send","amount":-1.14989999,"vout":0,"fee":-0.00010000,"size":210},{"account":"","address":"RWydbVbnbindjDjFTeAtp9xeMrUNFQcQ2Z","category":"receive","amount":1.14989999,"vout":0,"size":210}],"hex":"0400008085202f8901f5d7e8b6c47768576f954bc530e249cb692ca45be03b41c9df8a74d9d1a52a97000000006a47304402202d395c1cedd62a263e74fed0aa41e0de6194651ebb36b237ba3aaf5d2073aaab02206b784fc3bfebb113b6f6cacb2ee0ae2ecb3ab191d5f9b7326b54a3b5205f4c6e012103e151b6a94d36d348ab6351856fa6a9cc7a14157e7c86d2529fa5974e0a25152fffffffff01af9bda06000000001976a914ee009490ace12cc7096bc41823863c450892273d88ac00000000f00000000000000000000000000000"}'
	},
	validateaddress: {
		params: '["RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM"]',
		result:
			'{"isvalid":true,"address":"RY8BD8MRu69zWcHpTFm5nuenDW2uxwu1PM","scriptPubKey":"76a914fa966c95cae9f786bb93ec7aacc45685b1620e1e88ac","segid":59,"ismine":true,"iswatchonly":false,"isscript":false,"pubkey":"02b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b","iscompressed":true,"account":""}'
	},
	getnewaddress: { params: '[]', result: '"R9iQRG6J9eY8SwaCcYZ65QJxg5UhgLC5Rx"' },
	getrawchangeaddress: { params: '[]', result: '"RJSDZjp7kjBNhHsbECDE1jwYNK7af41pZN"' },
	sendtoaddress: { params: '["RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92",1.15000000,"for the ferry"]' },
	lockunspent: {
		params:
			'[false,[{"txid":"d7ba45296c66e16eb61f27a4eef8848c7f5579fe801f277c1b0e074a4f47d6fd","vout":0}]]',
		result: 'true'
	},
	keypoolrefill: { params: '[]', result: 'null' },
	importaddress: {
		params: '["R9z796AehK5b6NCPeVkGUHSpJnawerf8oP","testing",false]',
		result: 'null'
	},
	setpubkey: { params: '["02b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b"]' },
	resendwallettransactions: { params: '[]' },
	getinfo: {
		params: '[]',
		result:
			'{"version":90000,"protocolversion":170013,"KMDversion":"0.9.0","synced":false,"notarized":0,"prevMoMheight":0,"notarizedhash":"0000000000000000000000000000000000000000000000000000000000000000","notarizedtxid":"0000000000000000000000000000000000000000000000000000000000000000","notarizedtxid_height":"mempool","notarized_confirms":0,"walletversion":60000,"interest":0.00000000,"balance":0.00000000,"blocks":0,"longestchain":0,"tiptime":1231006505,"difficulty":1,"keypoololdest":1795230624,"keypoolsize":101,"paytxfee":0.00000000,"sapling":-1,"timeoffset":0,"connections":0,"proxy":"","testnet":false,"relayfee":0.00000100,"errors":"","name":"KMD","p2pport":7770,"rpcport":7771}'
	},
	help: { params: '["nosuchthing"]', result: '"help: unknown command: nosuchthing"' },
	ping: { params: '[]', result: 'null' },
	getconnectioncount: { params: '[]', result: '0' },
	getpeerinfo: {
		params: '[]',
		result:
			'[{"id":1,"addr":"127.0.0.1:30309","services":"0000000030000005","lastsend":1795230962,"lastrecv":1795230962,"bytessent":4985,"bytesrecv":236131,"conntime":1795230952,"timeoffset":0,"pingtime":0.100317,"version":170013,"subver":"/MagicBean:0.9.0beta1/","inbound":false,"startingheight":71,"banscore":0,"synced_headers":72,"synced_blocks":72,"inflight":[],"addr_processed":0,"addr_rate_limited":0,"whitelisted":false}]'
	},
	getnetworkinfo: {
		params: '[]',
		result:
			'{"version":90000,"subversion":"/MagicBean:0.9.0-beta1/","protocolversion":170013,"localservices":"0000000030000005","timeoffset":0,"connections":0,"networks":[{"name":"ipv4","limited":false,"reachable":true,"proxy":"","proxy_randomize_credentials":false},{"name":"ipv6","limited":false,"reachable":true,"proxy":"","proxy_randomize_credentials":false},{"name":"onion","limited":true,"reachable":false,"proxy":"","proxy_randomize_credentials":false},{"name":"","limited":false,"reachable":true,"proxy":"","proxy_randomize_credentials":false}],"relayfee":0.00000100,"localaddresses":[],"warnings":""}'
	},
	getnettotals: {
		params: '[]',
		result: '{"totalbytesrecv":29872297,"totalbytessent":15650741,"timemillis":1536821938902}'
	},
	getaddednodeinfo: {
		params: '[true,"78.47.205.239"]',
		result:
			'[{"addednode":"78.47.205.239","connected":true,"addresses":[{"address":"78.47.205.239:7770","connected":"outbound"}]}]'
	},
	listbanned: {
		params: '[]',
		result: '[{"address":"78.47.205.239/255.255.255.255","banned_until":1536945306}]'
	},
	getdeprecationinfo: {
		params: '[]',
		result: '{"version":1001550,"subversion":"/MagicBean:1.0.15/","deprecationheight":1400000}'
	},
	getmininginfo: {
		params: '[]',
		result:
			'{"blocks":11,"currentblocksize":1000,"currentblocktx":0,"difficulty":1,"errors":"","genproclimit":1,"localsolps":1.902173913043478,"networksolps":0,"networkhashps":0,"pooledtx":0,"testnet":false,"chain":"main","staking":false,"generate":true,"numthreads":1}'
	},
	getgenerate: { params: '[]', result: '{"staking":false,"generate":false,"numthreads":-1}' },
	setgenerate: { params: '[true,1]', result: 'null' },
	generate: {
		params: '[1]',
		result: '["0eb7fc30a945658129f0dcf15734c6ccf722956a8f04327d99644918f3c5e8a7"]'
	},
	setstakingsplit: { params: '["50"]' },
	getblocksubsidy: { params: '[1000]', result: '{"miner":3.0}' },
	getblocktemplate: { params: '[]' },
	getlocalsolps: { params: '[]', result: '0.4141607577247555' },
	getnetworksolps: { params: '[]', result: '17547717' },
	getnetworkhashps: { params: '[]', result: '10724120' },
	getnotarypayinfo: { params: '[]' }
};
