/** All controls that the attacks are tried against. */
import { accessControls } from './access.ts';
import { answerControls } from './answers.ts';
import { apiTokenControls } from './apiTokens.ts';
import { changeControls } from './changes.ts';
import type { Control } from './control.ts';
import { httpControls } from './http.ts';
import { kdfControls } from './kdf.ts';
import { moneyControls } from './money.ts';
import { noticeControls } from './notices.ts';
import { passkeyControls } from './passkeys.ts';
import { policyControls } from './policies.ts';
import { requestsControls } from './requests.ts';
import { rpcApiControls } from './rpcApi.ts';
import { secondFactorControls } from './secondFactors.ts';
import { sessionsControls } from './sessions.ts';
import { signOnControls } from './signOn.ts';
import { signingControls } from './signing.ts';
import { spendingControls } from './spending.ts';
import { storageControls } from './storage.ts';
import { trapsControls } from './traps.ts';

export const controls: readonly Control[] = [
	...answerControls,
	...accessControls,
	...sessionsControls,
	...secondFactorControls,
	...passkeyControls,
	...rpcApiControls,
	...apiTokenControls,
	...kdfControls,
	...httpControls,
	...moneyControls,
	...spendingControls,
	...policyControls,
	...changeControls,
	...trapsControls,
	...signingControls,
	...requestsControls,
	...signOnControls,
	...noticeControls,
	...storageControls
];
