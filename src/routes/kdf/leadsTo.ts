/** Returns where a provider's URL leads, without its path, which may contain an access key. */
export const leadsTo = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
