/**
 * Why parts of a coins file or server list cannot be used, one sentence each. `where` names the file or the
 * coin.
 */
export const coinsFile = {
	tooLarge: (file: string): string => `${file} is larger than 16 MB, so it is not read.`,
	notJson: (file: string): string => `${file} is not JSON.`,
	unreadable: (file: string): string => `${file} cannot be read.`,
	notCoins: 'The coins file is neither a list nor an object.',
	notList: (where: string): string => `${where} is not a list.`,
	/** `at` is counted from 1. */
	serverForm: (where: string, at: number): string =>
		`${where}: server ${at} is not of the known form.`,
	serverAddress: (where: string, at: number): string =>
		`${where}: server ${at} has no address of the form host:port.`,
	lightServer: (coin: string, at: number): string =>
		`${coin}: lightwalletd server ${at} has no usable address.`,
	node: (coin: string, at: number): string => `${coin}: node ${at} has no usable address.`,
	entry: (at: number): string => `Entry ${at}`,
	notObject: (where: string): string => `${where}: is no object.`,
	/** `why`: what is wrong with the ticker. */
	ticker: (where: string, why: string): string => `${where}: ${why}.`,
	noTicker: 'has no ticker',
	tickerCharacters: 'has a ticker with characters that none has',
	member: (where: string, member: string): string =>
		`${where}: "${member}" is not of the known form.`
} as const;
