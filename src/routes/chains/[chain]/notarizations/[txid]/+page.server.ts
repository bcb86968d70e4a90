import { error } from '@sveltejs/kit';
import { notarizationPage } from '#lib/messages/pages/notarizations.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import { chainIdOf } from '#lib/server/chains/lists/chains.ts';
import {
	notarizations,
	readNotarization,
	signersOf
} from '#lib/server/chains/lists/notarizations.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { hashOr404 } from '../../../../hashOr404.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { chain, txid } }) => {
	const { app } = locals;
	const id = hashOr404(txid, notarizationPage.notAnId);
	const number = await chainIdOf(app.index, chain);
	const row = number === null ? null : await readNotarization(app.index, number, id);
	const progress = await shownProgress(app, chain);
	if (row === null) {
		error(404, notarizationPage.unknown(chain));
	}
	return withLabels(locals, {
		facts: notarizations.wire(row) as {
			txid: string;
			chain: string;
			height: number;
			hash: string;
			kmdTxid: string | null;
			mom: string | null;
			momDepth: number | null;
			momom: string | null;
			momomDepth: number | null;
			ccid: number | null;
		},
		progress,
		recordedAt: heightOfSeq(row.seq),
		time: Number(row.time),
		signers: signersOf(row),
		chains: app.gateway.chains(),
		now: Date.now()
	});
};
