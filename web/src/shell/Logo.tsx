// The lapwing, with the crest that everybody knows it by.

export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 40 40" width="34" height="34" aria-hidden="true">
      <path d="M19 12C17 6 12 3.5 6 3.2c4.500 1.800 7.500 4.700 9 9.600z" fill="currentColor" />
      <circle cx="20.500" cy="14.500" r="6.500" fill="currentColor" />
      <path d="M26 13.200l6.500 2.100-6.700 1.500z" fill="var(--gold)" />
      <path
        d="M15.500 18c-6 3-9.500 8.500-12 16.500 5-1.400 8.600-1.800 12-1.500 8.500.8 14.500-3.500 14.300-10.500-.1-3-1.300-5-3.300-6.500z"
        fill="currentColor"
      />
      <path d="M17.500 24.500c3.800-1.500 7.800-1.200 11.700.6-1.600 4-5.700 6.300-11.200 6 .9-2.300.8-4.400-.5-6.600z" fill="var(--surface)" />
      <path d="M17 33v4.500M22 32.600V37.500" stroke="var(--gold)" strokeWidth="1.600" strokeLinecap="round" />
      <circle cx="22" cy="13.500" r="1.200" fill="var(--surface)" />
    </svg>
  );
}
