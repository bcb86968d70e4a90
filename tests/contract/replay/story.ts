import { addressOfPubkey } from '#lib/chain/address.ts';
import { number, type Stage } from './stage.ts';

/** An address that belongs to no wallet here. */
const SOMEBODY = 'RBY9CcGTnmQtpeQufRGpkXwa2Uv6v8osdW';

/** Recorded ids that the replay requests, or that no response names. */
const PREMINE = '196bb94542e44dac9416355bd19ee7ae198ec156841dde6d7e3a60c4f194f57c';
const OLD_COINBASE = 'cd91a61ec6cecd009b655e25b8f8b16b26f7f94b94d4bfd82ebbb4108686074e';
const TOKEN = '14c0b58e40a82fa595aabc94608d8bd96761fdf6e2684376b2e018f89a72d710';
const BURN = 'e5455b24d8524dac7f4cda232c358603436ca4ee48d3832c5cbe67e95dd1d2f8';
const FUNGIBLE_BURN = '87226d45d796959ca16cad1e5dfb4cd83baf513131ede91be481781e5d9ee4dc';
const IMPORT_BLOCK = '037540f3429ceee6f09ff57c9ae311464cc519d59e4dee8f320c61c55c777d4f';
const FAST_TOKEN = '04635c5a702a908dec4c34dbfa03df82f5d48d524939a821f40e10857ce9a971';
const PAYMENT = 'bd3e806c86096562471430df9d0a7bb4b6f1486320a8230dd48baca6c0cbe6ff';
/** Non-fungible tokens by the first byte of their data. */
const CREATED: Readonly<Record<string, string>> = {
	'01': 'db41eae7c8dfbbe7ae0b3bf46347a62dd2997c5fd9ca1a50c62e63d51cd15c51',
	ea: '1b8ff309fa41fc0d5a0f5a830d207c4d4c4854f9ee6183b8f2a7654c4ef5fa18',
	f7: '2fa6b634de1cff1bdff1257102f63e089df4d2b166980b7f4fa4497985fc9be8'
};
const NFT_F1 = 'adf62e40546ea197762043c08b6d5aa2f59cbbfa6f255fc1ccd16a1505073197';
const NFT_F2 = '426917fb8a927a3aef26b086b696305fc30fa28e7fef5dfe7499d770aef7f8ae';
const NFT_OTHER = '4263c00292f5d336332f7b352a35f6035e4f73f870fc8454411aad5051ac3161';

/** Responses of daemons before any action on their chain. The recorder's daemons mined for themselves. */
async function beginning(stage: Stage): Promise<void> {
	await stage.play('generate', 'getgenerate', 'getmininginfo_not_mining');
	await stage.net.control.wallet('ALPHA', { hasPubkey: false });
	await stage.play('getinfo_height0', 'getblockchaininfo_height0');
	await stage.net.control.wallet('ALPHA', { hasPubkey: true });
	for (const chain of ['ALPHA', 'BETA', 'SELF']) {
		await stage.net.rpc(chain, 'setgenerate', true, 1);
		await stage.mine(chain, 8);
	}
	const { tx } = await stage.net.rpc<{ tx: [string] }>('ALPHA', 'getblock', '3');
	stage.cast(OLD_COINBASE, tx[0]);
	const [premine] = (await stage.net.rpc<{ tx: string[] }>('ALPHA', 'getblock', '1')).tx;
	stage.cast(PREMINE, premine!);
	await stage.play('getmininginfo_mining');
	await stage.play('getinfo', 'getblockchaininfo', 'getblockcount', 'getbestblockhash');
	await stage.play('getchaintips', 'getwalletinfo', 'getbalance', 'listunspent', 'tokenaddress');
	await stage.play('tokenaddress_pubkey', 'tokenaddress_badpubkey', 'coinsupply');
	await stage.play('getrawmempool', 'getmempoolinfo', 'getmininginfo', 'getdifficulty');
	await stage.play('getnetworkinfo', 'getnetworkinfo_connected', 'getpeerinfo');
	await stage.play('getconnectioncount', 'getwalletburntransactions_empty');
}

/** Valid and invalid request formats that do not depend on the state of a chain. */
async function envelope(stage: Stage): Promise<void> {
	await stage.play('id_object', 'json_content_type', 'jsonrpc_2_0', 'notification_2_0');
	await stage.play('params_missing', 'too_many_params', 'missing_params', 'params_string');
	await stage.play('wrong_arg_type', 'wrong_case_method', 'other_path', 'jsonrpc_2_0_error');
	await stage.play('unknown_method', 'http_get', 'missing_method', 'parse_error', 'batch_empty');
	await stage.play('rest_without_rest_flag', 'top_level_number', 'top_level_string');
	await stage.stage('wrong_password', { password: 'wrong' });
	await stage.play('help', 'help_getblock', 'help_tokencreate', 'help_unknown');
}

/** Calls that fail before they read the chain, or that look for missing items. */
async function refusals(stage: Stage): Promise<void> {
	await stage.play('MoMoMdata', 'MoMoMdata_missing_params', 'MoMoMdata_numbers');
	await stage.play('calc_MoM_beyond_tip', 'calc_MoM_illegal', 'calc_MoM_missing_params');
	await stage.play('calc_MoM_numbers', 'calc_MoM_zero', 'height_MoM_number');
	await stage.play('createrawtransaction_bad_txid', 'createrawtransaction_missing_params');
	await stage.play('createrawtransaction_negative', 'createrawtransaction_too_precise');
	await stage.play('fundrawtransaction_bad_hex', 'fundrawtransaction_missing_params');
	const tooMuch = { [SOMEBODY]: 15_000_000 };
	const raw = await stage.net.rpc<string>('ALPHA', 'createrawtransaction', [], tooMuch);
	await stage.stage('fundrawtransaction_insufficient', { first: raw });
	await stage.play('crosschainproof');
	await stage.play('getNotarisationsForBlock_missing_params', 'getNotarisationsForBlock_string');
	await stage.play('getblock_garbage', 'getblock_out_of_range', 'getblock_unknown');
	await stage.play('getblockhash_negative', 'getblockhash_out_of_range', 'getblockhash_string');
	await stage.play('getimports_garbage', 'getimports_height_number', 'getimports_missing_params');
	await stage.play('getimports_negative', 'getimports_out_of_range', 'getimports_unknown_hash');
	await stage.play('getnotarypayinfo_unknown', 'getrawtransaction_bad_txid');
	await stage.play('gettransaction_bad_txid', 'gettransaction_unknown');
	await stage.play('gettxoutproof_unknown', 'getwalletburntransactions_count_number');
	await stage.play('getwalletburntransactions_negative', 'getaddressmempool');
	await stage.play('migrate_checkburntransactionsource_unknown');
	await stage.play('migrate_completeimporttransaction_missing_params');
	await stage.play('migrate_converttoexport_bad_hex');
	await stage.play('migrate_converttoexport_bad_tx', 'migrate_converttoexport_missing_params');
	await stage.play('migrate_converttoexport_same_chain', 'migrate_converttoexport_three_params');
	await stage.play('migrate_converttoexport_zero_value');
	for (const reason of [
		'bad_address',
		'empty_symbol',
		'long_symbol',
		'missing_params',
		'no_funds',
		'numeric_amount',
		'too_much',
		'unknown_token',
		'zero'
	]) {
		await stage.play(`migrate_createburntransaction_${reason}`);
	}
	await stage.play('migrate_createimporttransaction_bad_hex');
	await stage.play('migrate_createnotaryapprovaltransaction_bad_proof');
	await stage.play('migrate_createnotaryapprovaltransaction_missing_params');
	await stage.play('migrate_createnotaryapprovaltransaction_not_hex');
	await stage.play('scanNotarisationsDB', 'scanNotarisationsDB_beyond_tip');
	await stage.play('scanNotarisationsDB_missing_params', 'selfimport_on_normal_chain');
	await stage.stage('scanNotarisationsDB_kmd', { first: '3' });
	await stage.play('selfimport_bad_address', 'selfimport_zero');
	await stage.play('selfimport_missing_params', 'selfimport_numeric_amount');
	await stage.play('sendrawtransaction_bad_hex', 'sendrawtransaction_odd_hex');
	await stage.play('sendrawtransaction_missing_params', 'sendrawtransaction_missing_inputs');
	await stage.play('sendrawtransaction_truncated_hex', 'sendtoaddress_bad');
	await stage.play('sendtoaddress_insufficient', 'setpubkey', 'setpubkey_unknown_key');
	await stage.play('signrawtransaction_bad_hex', 'signrawtransaction_missing_params');
	await stage.play('signrawtransaction_unsigned_foreign');
	await stage.play('tokenbalance_garbage', 'tokenbalance_no_params', 'tokenbalance_unknown_token');
	for (const reason of [
		'bad_data',
		'empty_name',
		'missing_params',
		'nft_supply_gt_1',
		'numeric_supply',
		'too_many_params',
		'zero_supply'
	]) {
		await stage.play(`tokencreate_${reason}`);
	}
	await stage.play('tokeninfo_empty', 'tokeninfo_garbage', 'tokeninfo_missing_params');
	await stage.play('tokeninfo_number', 'tokeninfo_unknown_token', 'tokenlist_extra_param');
	await stage.play('tokentransfer_missing_params', 'tokentransfer_numeric_amount');
	await stage.play('tokentransfer_unknown_token', 'tokentransfer_zero_tokenid');
	await stage.play('validateaddress_invalid', 'validateaddress_own', 'validateaddress_ownkey');
}

/** Self-contained bytes: they are sent as recorded. */
async function decoding(stage: Stage): Promise<void> {
	for (const what of [
		'after_sapling',
		'bad_hex',
		'burn_nft',
		'createrawtransaction',
		'export',
		'import',
		'notaryapproval',
		'selfimport_import',
		'selfimport_source',
		'tokencreate',
		'tokencreate_nft',
		'tokentransfer'
	]) {
		await stage.verbatim(`decoderawtransaction_${what}`);
	}
	await stage.verbatim('sapling_decoderawtransaction_tokentransfer');
	await stage.play('decoderawtransaction_missing_params');
}

/** Spends an output of the wallet back to the wallet, unless it was spent before. */
async function spend(stage: Stage, recorded: string, vout: number): Promise<void> {
	const { net } = stage;
	const txid = stage.here(recorded);
	const out = await net.rpc<{ value: number } | null>('ALPHA', 'gettxout', txid, vout);
	if (out === null) return;
	const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
	const to = { [own]: (out.value - 0.0001).toFixed(8) };
	const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [{ txid, vout }], to);
	const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', raw);
	await net.rpc('ALPHA', 'sendrawtransaction', hex);
}

/** A fungible token: created, pending, confirmed, transferred. */
async function token(stage: Stage): Promise<void> {
	await stage.play('tokencreate_fungible', 'sendrawtransaction_tokencreate');
	await stage.play('sendrawtransaction_again_in_mempool', 'getrawmempool_one');
	await stage.play('getrawmempool_verbose', 'getrawtransaction_verbose_mempool');
	await stage.play('getrawtransaction_hex_mempool', 'tokeninfo_while_in_mempool');
	await stage.play('tokenlist_while_in_mempool');
	await stage.mine('ALPHA');
	await stage.play('tokeninfo', 'tokenbalance_pubkey', 'tokenbalance_bad_pubkey');
	await stage.play('tokenbalance_address_not_pubkey', 'tokenbalance_not_a_token_tx');
	for (const what of [
		'negative',
		'too_much',
		'zero_amount',
		'bad_pubkey',
		'address_instead_of_pubkey',
		'decimal_amount'
	]) {
		await stage.play(`tokentransfer_${what}`);
	}
	await stage.play('tokentransfer', 'sendrawtransaction_tokentransfer');
	await stage.play('tokenbalance_after_transfer_unmined', 'tokenbalance_dest_unmined');
	await stage.mine('ALPHA');
	await stage.play('tokenbalance_after_transfer', 'tokenbalance_dest_after_transfer');
	await stage.play('getrawtransaction_verbose_tokentransfer', 'gettxout');
	await spend(stage, TOKEN, 2);
	await spend(stage, OLD_COINBASE, 0);
	await stage.mine('ALPHA');
	await stage.play('getrawtransaction_verbose_tokencreate', 'getrawtransaction_hex');
	await stage.play('gettransaction_tokencreate', 'getrawtransaction_verbose_true');
}

/** The block that holds the token, by hash and by height. */
async function blocks(stage: Stage): Promise<void> {
	const { net } = stage;
	const { height } = await net.rpc<{ height: number }>(
		'ALPHA',
		'getrawtransaction',
		stage.here(TOKEN),
		1
	);
	await stage.stage('getblockhash', { first: number(height) });
	await stage.play('getblock', 'getblock_verbose_false', 'getblock_verbose_true');
	await stage.play('getblock_verbosity2', 'getblockheader', 'getimports_hash_none');
	await stage.stage('getblock_by_height_string', { first: String(height) });
	await stage.stage('getimports_height_none', { first: String(height) });
	await stage.stage('getNotarisationsForBlock', { first: number(height) });
	await stage.play('getblock_genesis', 'getrawtransaction_verbose_coinbase');
	const tip = String(await net.rpc<number>('ALPHA', 'getblockcount'));
	await stage.stage('calc_MoM', { first: tip });
	await stage.stage('height_MoM', { first: tip });
	await stage.play('gettxoutproof', 'gettxoutproof_with_block', 'verifytxoutproof');
	await stage.play('assetchainproof', 'migrate_checkburntransactionsource_not_a_burn');
}

/** A burn of coins, and responses that show the absence of notaries. */
async function burn(stage: Stage): Promise<void> {
	const { net } = stage;
	await stage.play('migrate_createburntransaction', 'sendrawtransaction_burn');
	await stage.play('migrate_checkburntransactionsource_mempool');
	await stage.play('migrate_createimporttransaction_unmined');
	await stage.play('getwalletburntransactions_inmempool');
	await stage.mine('ALPHA');
	await stage.play('getwalletburntransactions', 'getwalletburntransactions_count_string');
	await stage.play('getrawtransaction_verbose_burn', 'gettransaction_burn', 'gettxout_spent');
	await stage.play('migrate_checkburntransactionsource');
	await stage.play('migrate_checkburntransactionsource_on_dest');
	await stage.play('migrate_createimporttransaction_not_notarised');
	await stage.play('migrate_createimporttransaction_bad_notary_txid');
	await stage.play('migrate_createimporttransaction_missing_params');
	await stage.play('kmd_migrate_createimporttransaction');
	await stage.play('migrate_completeimporttransaction_not_an_import');
	await stage.play('migrate_createnotaryapprovaltransaction_wrong_txid');
	const change = [{ txid: stage.here(BURN), vout: 0 }];
	const unsigned = await net.rpc<string>('ALPHA', 'createrawtransaction', change, {
		[SOMEBODY]: 0.9
	});
	await stage.stage('sendrawtransaction_unsigned', { first: unsigned });
	const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
	await stage.stage('sendrawtransaction_absurd_fee', { first: hex });
}

/** A burn that its owner funds and signs. */
async function exported(stage: Stage): Promise<void> {
	const { net } = stage;
	await stage.play('createrawtransaction_no_inputs', 'createrawtransaction_string_amount');
	await stage.play('createrawtransaction', 'migrate_converttoexport');
	await stage.play('fundrawtransaction_export');
	const own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
	const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [own]: 3.25 });
	const funded = await net.rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', raw);
	await stage.stage('signrawtransaction', { first: funded.hex });
	// Change may be the last output after the burn; then the owner funds again.
	const burnTx = stage.result('migrate_converttoexport', 'exportTx');
	let last: { hex: string; changepos: number };
	do last = await net.rpc('ALPHA', 'fundrawtransaction', burnTx);
	while (last.changepos !== 0);
	await stage.stage('signrawtransaction_export', { first: last.hex });
	await stage.play('sendrawtransaction_export');
	await stage.mine('ALPHA');
	await stage.play('migrate_checkburntransactionsource_export');
}

/** A non-fungible token whose creation was not recorded. */
async function unrecorded(stage: Stage, recorded: string, data: string): Promise<void> {
	const { hex } = await stage.net.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		`NFT${data}`,
		'0.00000001',
		`{"art":"lab ${data}"}`,
		`${data}aabbccdd`
	);
	stage.cast(recorded, await stage.net.rpc<string>('ALPHA', 'sendrawtransaction', hex));
	await stage.mine('ALPHA');
}

/** Non-fungible tokens: the data with which they can be transferred, and a burn of one. */
async function nonFungible(stage: Stage): Promise<void> {
	const { net } = stage;
	await stage.play('tokencreate_nft', 'sendrawtransaction_nft');
	await stage.mine('ALPHA');
	await stage.play('tokenlist_two', 'tokenbalance_nft');
	await stage.play('migrate_createburntransaction_nft_to_address');
	for (const [data, tokenid] of Object.entries(CREATED)) {
		const name = `nft_data_${data}`;
		await stage.play(`tokencreate_${name}`);
		const hex = stage.result(`tokencreate_${name}`, 'hex');
		stage.cast(tokenid, await net.rpc<string>('ALPHA', 'sendrawtransaction', hex));
		await stage.mine('ALPHA');
		await stage.play(`tokenbalance_${name}`, `tokentransfer_${name}`);
		if (data !== 'f7') await stage.play(`sendrawtransaction_tokentransfer_${name}`);
	}
	await unrecorded(stage, NFT_F2, 'f2');
	await stage.play('tokenbalance_nft_data_f2', 'tokentransfer_nft_data_f2');
	await unrecorded(stage, NFT_OTHER, 'f3');
	await stage.play('tokentransfer_nft_amount_2');
	await unrecorded(stage, NFT_F1, 'f1');
	await stage.play('tokeninfo_nft_f1', 'tokenbalance_nft_f1', 'tokentransfer_nft_f1');
	await stage.play('migrate_createburntransaction_nft_amount_2');
	await stage.play('migrate_createburntransaction_nft_non_LABS');
	await stage.play('migrate_createburntransaction_nft', 'sendrawtransaction_burn_nft');
	await stage.mine('ALPHA');
	await stage.play('tokeninfo_nft_after_burn', 'migrate_checkburntransactionsource_nft');
	await stage.play('migrate_createimporttransaction_nft_notary_txids');
	await stage.play('tokencreate_long_description_ok');
}

/** Fungible tokens can be burned and are then refused. */
async function fungibleBurn(stage: Stage): Promise<void> {
	await stage.play('migrate_createburntransaction_fungible_token');
	const hex = stage.result('migrate_createburntransaction_fungible_token', 'BurnTxHex');
	stage.cast(FUNGIBLE_BURN, await stage.net.rpc<string>('ALPHA', 'sendrawtransaction', hex));
	await stage.mine('ALPHA');
	await stage.play('migrate_checkburntransactionsource_fungible');
	await stage.play('tokenbalance_fungible_after_burn');
	await stage.play('getwalletburntransactions_all', 'getwalletburntransactions_with_nft');
}

/** After the activation of Sapling: other transactions, with tokens and burns as before. */
async function sapling(stage: Stage): Promise<void> {
	const { control, rpc } = stage.net;
	for (const chain of ['ALPHA', 'BETA', 'SELF']) {
		await control.mine(chain, 62 - (await rpc<number>(chain, 'getblockcount')));
	}
	await stage.play('sapling_createrawtransaction', 'sapling_tokencreate');
	await stage.play('sapling_sendrawtransaction');
	const { height } = await stage.mine('BETA');
	await stage.play('sapling_tokeninfo', 'sapling_gettransaction');
	await stage.play('sapling_getrawtransaction_verbose');
	await stage.stage('sapling_getblock', { first: String(height) });
	await stage.play('sapling_tokentransfer', 'sapling_sendrawtransaction_tokentransfer');
	await stage.play('sapling_migrate_createburntransaction');
	await stage.play('tokencreate_fungible_after_sapling', 'getinfo_connected');
}

/** An approval by a key that is not a notary's, and the import that uses it. */
async function approval(stage: Stage): Promise<void> {
	const proof = stage.result('migrate_checkburntransactionsource', 'TxOutProof');
	const method = 'migrate_createnotaryapprovaltransaction';
	const { NotaryTxHex } = await stage.net.rpc<{ NotaryTxHex: string }>(
		'BETA',
		method,
		stage.here(BURN),
		proof
	);
	await stage.stage('sendrawtransaction_notaryapproval', { first: NotaryTxHex });
	await stage.mine('BETA');
	await stage.play('migrate_createimporttransaction_with_approval');
	const hex = stage.result('migrate_createimporttransaction_with_approval', 'ImportTxHex');
	await stage.stage('sendrawtransaction_import_rejected', { first: hex });
	await stage.stage('migrate_completeimporttransaction_bad_offset', { first: hex });
	await stage.stage('migrate_completeimporttransaction_notary_proof', { first: hex });
}

/** Self-import: new coins on a chain that allows them to its owner. */
async function selfImport(stage: Stage): Promise<void> {
	const { rpc } = stage.net;
	await stage.play('selfimport');
	await rpc('SELF', 'sendrawtransaction', stage.result('selfimport', 'SourceTxHex'));
	await stage.mine('SELF');
	await stage.play('sendrawtransaction_selfimport_import');
	const { height, hash } = await stage.mine('SELF');
	stage.cast(IMPORT_BLOCK, hash);
	await stage.play('sendrawtransaction_selfimport_again', 'getimports_hash');
	await stage.stage('getimports_height', { first: String(height) });
	await stage.play('getblock_with_import', 'getrawtransaction_verbose_selfimport');
	await stage.play('gettransaction_selfimport', 'self_getinfo');
}

/** Payments of a wallet to a stranger, and the address index. */
async function payments(stage: Stage): Promise<void> {
	const { rpc } = stage.net;
	const made = ['tokencreate', 'FASTTOK', '0.00001', 'fast'] as const;
	const { hex } = await rpc<{ hex: string }>('ALPHA', ...made);
	stage.cast(FAST_TOKEN, await rpc<string>('ALPHA', 'sendrawtransaction', hex));
	await stage.play('gettransaction_immediately_after_send');
	await stage.mine('ALPHA');
	await stage.play('fast_gettransaction');
	await stage.mine('ALPHA');
	stage.cast(PAYMENT, await rpc<string>('ALPHA', 'sendtoaddress', SOMEBODY, 1.5));
	await stage.mine('ALPHA');
	await stage.play('gettransaction_send', 'listtransactions');
	await stage.play('getaddressutxos', 'getaddressbalance');
}

/** Daemons without `-pubkey`, and daemons that are starting or busy. */
async function others(stage: Stage): Promise<void> {
	const { control } = stage.net;
	await control.wallet('ALPHA', { hasPubkey: false });
	await stage.play('nopubkey_tokenaddress', 'nopubkey_tokencreate', 'node2_getinfo');
	await stage.play('node2_getblockcount', 'node2_getpeerinfo');
	await control.fault('ALPHA', 'work-queue-full', { count: 1 });
	await stage.play('work_queue_exceeded');
	await control.fault('ALPHA', 'warm-up');
	for (const text of ['rescanning', 'rewinding_blocks_if_needed', 'verifying_blocks']) {
		await stage.stage(`warmup_${text}`, { attempts: 5 });
	}
	await stage.stage('warmup_unknown_method', { attempts: 5 });
	await stage.stage('warmup_batch', { attempts: 5 });
	await stage.play('warmup_help');
}

/** The main chain's daemon, which runs without `-pubkey`. */
async function mainChain(stage: Stage): Promise<void> {
	await stage.net.control.wallet('KMD', { hasPubkey: false });
	await stage.play('kmd_getinfo', 'kmd_getblockchaininfo', 'kmd_tokenlist', 'kmd_calc_MoM');
	await stage.play('kmd_getimports', 'kmd_scanNotarisationsDB');
	await stage.play('kmd_migrate_createburntransaction');
	await stage.play('migrate_completeimporttransaction_bad_hex');
}

/** Replays all recordings, in an order in which each finds the state in which it was recorded. */
export async function playAll(stage: Stage): Promise<void> {
	await envelope(stage);
	await mainChain(stage);
	await beginning(stage);
	await refusals(stage);
	await decoding(stage);
	await token(stage);
	await blocks(stage);
	await burn(stage);
	await exported(stage);
	await nonFungible(stage);
	await fungibleBurn(stage);
	await sapling(stage);
	await approval(stage);
	await selfImport(stage);
	await payments(stage);
	await others(stage);
}
